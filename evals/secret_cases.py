"""A labelled set for detectors of secrets: what must be found, and what only looks like it.

Everything is made by a seeded generator; see `evals.secret_samples` for the forms of credentials.
"""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass

from evals.secret_samples import BASE62, HEX, TEMPLATES, draw, fill, samples


@dataclass(frozen=True, slots=True)
class Case:
    """A small file and what is in it.

    Attributes:
        group: ``format``, ``context`` or ``harmless``.
        kind: of secret, or what harmless thing it is.
        suffix: of the file's name; detectors look at it.
        text: of the file.
        secret: a part of the text that must go; ``""`` when it is harmless.
    """

    group: str
    kind: str
    suffix: str
    text: str
    secret: str = ""


# Where a credential of a known form stands; none of the names says secret.
_PLACES = (
    (".py", 'client = connect(\n    "{}",\n    timeout=3,\n)\n'),
    (".js", "export const client = new Client('{}');\n"),
    (".yaml", "service:\n  name: billing\n  value: {}\n"),
    (".json", '{{\n  "name": "billing",\n  "value": "{}"\n}}\n'),
    (".env", "BILLING=on\nBILLING_LOGIN={}\n"),
    (".md", "# Setup\n\nLog in with `{}` and start.\n"),
    (".sh", 'run --login "{}" --verbose\n'),
)

# Where a value stands that only its name tells.
_TOKEN_PLACES = (
    (".py", 'API_TOKEN = "{}"\n'),
    (".py", 'os.environ["BILLING_SECRET"] = "{}"\n'),
    (".py", 'client = Client(api_key="{}", retries=2)\n'),
    (".js", "const clientSecret = '{}';\n"),
    (".ts", 'const accessToken: string = "{}";\n'),
    (".java", 'private static final String AUTH_TOKEN = "{}";\n'),
    (".go", 'token := "{}"\n'),
    (".rb", "config.api_key = '{}'\n"),
    (".php", "$secret_key = '{}';\n"),
    (".cs", 'var apiKey = "{}";\n'),
    (".yaml", "billing:\n  api_key: {}\n"),
    (".yaml", "env:\n  - name: BILLING_TOKEN\n    value: {}\n"),
    (".json", '{{"client_secret": "{}"}}\n'),
    (".toml", 'signing_key = "{}"\n'),
    (".ini", "[billing]\nauth_token = {}\n"),
    (".xml", "<billing><apiToken>{}</apiToken></billing>\n"),
    (".xml", '<add key="BillingApiKey" value="{}" />\n'),
    (".env", "BILLING_API_KEY={}\n"),
    (".sh", "export BILLING_TOKEN={}\n"),
    (".sh", "billing push --api-key={} --force\n"),
    (".sh", 'curl -H "X-Api-Key: {}" https://billing.acme.dev/\n'),
    (".md", "Call `https://billing.acme.dev/v1?api_key={}&page=2`.\n"),
    (".dockerfile", "ENV BILLING_SECRET={}\n"),
)
_PASSWORD_PLACES = (
    (".py", 'PASSWORD = "{}"\n'),
    (".py", 'connect(host="db", user="app", password="{}")\n'),
    (".js", "const dbPassword = '{}';\n"),
    (".yaml", "db:\n  password: {}\n"),
    (".json", '{{"password": "{}"}}\n'),
    (".properties", "spring.datasource.password={}\n"),
    (".xml", "<password>{}</password>\n"),
    (".env", "DB_PASS={}\n"),
    (".sh", "export MYSQL_PWD={}\n"),
    (".sh", "billing login --user app --password {}\n"),
)
_URLS = ("postgres", "postgresql+asyncpg", "mysql", "redis", "amqp", "mongodb+srv", "https", "ftp", "smtp")
_STRINGS = (
    "Server=db1;Database=app;User Id=sa;Password={};Encrypt=true",
    "Data Source=db1;Initial Catalog=app;uid=sa;pwd={};",
    "jdbc:mysql://db1:3306/app?user=app&password={}&useSSL=true",
    "jdbc:sqlserver://db1:1433;databaseName=app;user=sa;password={};",
)
_PEM_NAMES = ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP ")
_WORDS = ("Winter", "Orion", "Maple", "Harbor", "Falcon", "Copper")


def positives(per_place: int, seed: int) -> Iterator[Case]:
    """Cases that hold a secret, each kind in each of its places so many times."""
    for kind in TEMPLATES:
        found = samples(kind, len(_PLACES) * per_place, seed)
        for number, sample in enumerate(found):
            suffix, place = _PLACES[number % len(_PLACES)]
            yield Case("format", kind, suffix, place.format(sample), core_of(sample))
    source = random.Random(f"{seed}/contexts")  # noqa: S311 (nobody's secrets)
    for _ in range(per_place):
        yield from _keys(source)
        yield from _connections(source)
        yield from _headers(source)
        yield from _assigned(source)


def core_of(sample: str) -> str:
    """The part of a sample that is secret: hosts, ids and the words beside it are not."""
    for mark in ("AccountKey=", "sig=", "discord ", "okta ", "airtable "):
        sample = sample.partition(mark)[2] or sample
    return sample.rpartition("/")[2] if sample.startswith("https://") else sample


def _keys(source: random.Random) -> Iterator[Case]:
    for name in _PEM_NAMES:
        block = " BLOCK" if name == "PGP " else ""
        title = f"{name}PRIV" + f"ATE KEY{block}-----"
        body = "\n".join(draw(BASE62 + "+/", 64, source) for _ in range(6))
        yield Case("context", "private-key", ".txt", f"-----BEGIN {title}\n{body}\n-----END {title}\n", body)
    escaped = "\\n".join(draw(BASE62 + "+/", 64, source) for _ in range(6))
    text = '{"private_key": "-----BEGIN PRIV' + f"ATE KEY-----\\n{escaped}\\n-----END PRIV" + 'ATE KEY-----"}'
    yield Case("context", "private-key", ".json", text, escaped)
    body = "\n".join(draw(BASE62 + "+/", 64, source) for _ in range(6))
    head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: k\nPrivate-Lines: 6\n"
    yield Case(
        "context", "private-key", ".txt", f"{head}{body}\nPrivate-MAC: {draw(HEX, 64, source)}\n", body
    )


def _connections(source: random.Random) -> Iterator[Case]:
    for scheme in _URLS:
        password = draw(BASE62, 12, source)
        yield Case(
            "context", "url-password", ".env", f"URL={scheme}://app:{password}@db1.acme.dev/app\n", password
        )
    for number, form in enumerate(_STRINGS):
        password = draw(BASE62 + "!#%", 12, source)
        suffix, frame = ((".cs", 'var s = "{}";\n'), (".properties", "url={}\n"))[number % 2]
        yield Case("context", "connection-string", suffix, frame.format(form.format(password)), password)
    password = draw(BASE62, 14, source)
    yield Case(
        "context",
        "netrc-password",
        ".netrc",
        f"machine git.acme.dev\nlogin bot\npassword {password}\n",
        password,
    )


def _headers(source: random.Random) -> Iterator[Case]:
    token = draw(BASE62, 40, source)
    basic = b64encode(f"deploy:{draw(BASE62, 14, source)}".encode()).decode()
    for suffix, frame in (
        (".http", "Authorization: {}\n"),
        (".py", 'headers = {{"Authorization": "{}"}}\n'),
        (".sh", 'curl -H "Authorization: {}" https://billing.acme.dev\n'),
    ):
        yield Case("context", "authorization", suffix, frame.format(f"Bearer {token}"), token)
        yield Case("context", "authorization", suffix, frame.format(f"Basic {basic}"), basic)
    password = draw(BASE62, 14, source)
    text = f"curl -u deploy:{password} https://billing.acme.dev/\n"
    yield Case("context", "authorization", ".sh", text, password)


def _assigned(source: random.Random) -> Iterator[Case]:
    tokens = ("<b40>", "<h32>", "<h64>", "<u32>", "<b24>", "<s44>", "<uuid>", "<l20>")
    for number, (suffix, place) in enumerate(_TOKEN_PLACES):
        value = fill(tokens[number % len(tokens)], source)
        yield Case("context", "assigned-token", suffix, place.format(value), value)
    for suffix, place in _PASSWORD_PLACES:
        value = draw(BASE62 + "!#%+@^", 13, source)
        yield Case("context", "assigned-password, random", suffix, place.format(value), value)
        value = f"{source.choice(_WORDS)}{source.randrange(1000, 9999)}{source.choice('!#%+')}"
        yield Case("context", "assigned-password, word and digits", suffix, place.format(value), value)
        value = f"{source.choice(_WORDS)}-{source.choice(_WORDS)}-{source.choice(_WORDS)}".lower()
        yield Case("context", "assigned-password, words", suffix, place.format(value), value)


# What is no secret, by what it is.
_HARMLESS: dict[str, tuple[tuple[str, str], ...]] = {
    "hash": (
        (".py", 'SHA256 = "<h64>"\n'),
        (".txt", "<h64>  dist/app-1.2.tar.gz\n"),
        (".txt", "requests==2.32.3 --hash=sha256:<h64>\n"),
        (".json", '"integrity": "sha512-<s86>=="\n'),
        (".html", '<script src="a.js" integrity="sha384-<s64>"></script>\n'),
        (".sum", "github.com/acme/app v1.2.3 h1:<s43>=\n"),
        (".toml", 'checksum = "<h64>"\n'),
        (".py", 'token_hash = "<h64>"\n'),
        (".yaml", "image: acme/app@sha256:<h64>\n"),
    ),
    "commit id": (
        (".yaml", "uses: actions/checkout@<h40>\n"),
        (".md", "Fixed in <h40>.\n"),
        (".json", '"resolved": "git+ssh://git@github.com/acme/app.git#<h40>"\n'),
        (".py", 'REVISION = "<h40>"\n'),
    ),
    "UUID or id": (
        (".py", 'PROJECT = "<uuid>"\n'),
        (".json", '{"id": "<uuid>", "etag": "W/\\"<h32>\\""}\n'),
        (".tf", 'secret_id = "<uuid>"\n'),
        (".yaml", "key_id: <h32>\n"),
        (".py", 'token_id = "<b24>"\n'),
        (".sql", "INSERT INTO t VALUES ('<uuid>', 20260131120000123);\n"),
    ),
    "encoded data": (
        (".css", "background: url(data:image/png;base64,<s400>=);\n"),
        (".py", 'ICON = "<s120>"\n'),
        (".svg", '<path d="M10.12<d6> 4.5<d6>L12.<d8> 9.<d8>Z"/>\n'),
        (".json", '"mappings": "AAAA,SAAS<w60>;AACA"\n'),
        (".pem", "-----BEGIN CERTIFICATE-----\n<s64>\n<s64>\n-----END CERTIFICATE-----\n"),
        (".pub", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<s43> me@host\n"),
        (".pem", "-----BEGIN PUBLIC KEY-----\n<s64>\n<s64>\n-----END PUBLIC KEY-----\n"),
    ),
    "test vector": (
        (".py", 'VECTOR = bytes.fromhex("<h64>")\n'),
        (".go", '{in: "<h32>", out: "<h32>"},\n'),
        (".c", 'static const char *expected = "<h40>";\n'),
        (".py", 'assert digest(b"abc") == "<h40>"\n'),
    ),
    "published key": (
        (".js", 'const stripe = Stripe("pk_live_<b24>");\n'),
        (".js", 'mapboxgl.accessToken = "pk.eyJ1IjoiYWNtZSJ9.<u22>";\n'),
        (".html", '<script>posthog.init("phc_<b43>")</script>\n'),
        (".yaml", "recipient: age1<l58>\n"),
    ),
    "name in code": (
        (".py", "token = self.request.session.get_access_token_v2()\n"),
        (".py", "password = settings.DATABASES['default']['PASSWORD2']\n"),
        (".js", "const token = useCsrfToken1(options.tokenProvider2);\n"),
        (".ts", "password: FormControl<string | null>;\n"),
        (".py", 'password_field = "user_password_confirmation_2"\n'),
        (".java", "private final TokenRefreshScheduler2 tokenRefreshScheduler2;\n"),
        (".go", 'SecretName: "projects/acme/secrets/signing-v2",\n'),
        (".js", 'var a0tokenB1=function(e,t){return e.Z9x8+t.k7J6},b2secretC3="a1";\n'),
        (".yaml", "secretName: billing-tls-2026-v1\n"),
        (".py", 'TOKEN_URL = "https://login.acme.dev/oauth2/v2.0/token"\n'),
        (".py", 'error = "Enter the password again2, as the first did not match."\n'),
        (".css", ".token.attr-name2.selector_password1 { color: #a6e22e }\n"),
        (".py", "api_key: str | None = field(default=None, repr=False)\n"),
        (".json", '{"token_type": "urn:ietf:params:oauth:token-type:jwt2"}\n'),
        (".py", "cache_key = f'user-{user.pk}-{version2}-permissions'\n"),
        (".sh", "docker run --password-file /run/secrets/db_password_v2 app\n"),
    ),
    "placeholder": (
        (".env", "API_KEY=your-api-key-goes-here-123\n"),
        (".env", "PASSWORD=changeme\n"),
        (".env", "DB_PASSWORD=${DB_PASSWORD:-none}\n"),
        (".yaml", "token: <insert-your-token-here-1>\n"),
        (".yaml", "password: {{ .Values.db.password }}\n"),
        (".yaml", "token: ${{ secrets.NPM_TOKEN_V2 }}\n"),
        (".py", 'api_key = os.environ["BILLING_API_KEY_V2"]\n'),
        (".py", 'SECRET_KEY = "xxxxxxxxxxxxxxxxxxxxxxxxxx1a"\n'),
        (".md", "Set `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` as the token.\n"),
        (".md", "Set `sk-ant-api03-...` in your shell.\n"),
        (".py", 'aws_access_key_id = "AKIAIOSFODNN7" "EXAMPLE"\n'),
        (".md", "postgres://user:password@localhost:5432/app\n"),
        (".md", "https://username:secret@example.com/\n"),
        (".py", 'token = "not-a-real-token-0000"\n'),
        (".py", 'password = "%(password)s2A"\n'),
        (".js", "const url = `https://${user}:${password1}@${host}/`;\n"),
        (".sh", 'curl -H "Authorization: Bearer $ACCESS_TOKEN_V2" https://a.dev\n'),
        (".sh", 'curl -u "$USER:$PASSWORD" https://a.dev\n'),
        (".http", "Authorization: Bearer <access-token-of-step-1>\n"),
        (".ini", "password = ********\n"),
    ),
}


def harmless(per_place: int, seed: int) -> Iterator[Case]:
    """Cases without a secret."""
    for kind, places in _HARMLESS.items():
        for number, (suffix, template) in enumerate(places):
            for turn in range(per_place if "<" in template else 1):
                source = random.Random(f"{seed}/{kind}/{number}/{turn}")  # noqa: S311 (nobody's secrets)
                yield Case("harmless", kind, suffix, fill(template, source))
