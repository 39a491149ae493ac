"""Credentials of every known form, and nobody's: put together at run time by a seeded generator.

No finished credential stands in this file, so that no scanner takes it for a leak. Where an issuer's checksum
is public, samples carry it: GitHub, npm and Vercel (CRC-32 of the random part, in base 62), GitLab's routable
tokens (length and CRC-32 in base 36).
"""

from __future__ import annotations

import json
import random
import re
import string
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from uuid import UUID
from zlib import crc32

HEX = "0123456789abcdef"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ALPHABETS = {
    "h": HEX,
    "b": BASE62,
    "u": BASE62 + "-_",
    "s": BASE62 + "+/",
    "l": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "w": string.ascii_letters,
    "t": string.ascii_uppercase + "234567",
    "d": string.digits,
    "a": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",  # of Bech32
}
_PART = re.compile(r"<([hbuslUwtda](?=\d)|crc|gitlab|json|jwt|uuid)(\d*)>")

# Each kind with its templates, parted by two spaces. ``<h32>`` stands for 32 random characters of the
# alphabet ``h``: the names of alphabets are above; the other parts have functions below.
_TEMPLATES = """\
aws-access-key  AKIA<t16>  ASIA<t16>
aws-bedrock-key  ABSK<s128>
aws-mws-token  amzn.mws.<uuid>
google-api-key  AIza<u35>
google-oauth-secret  GOCSPX-<u28>
google-oauth-token  ya29.<u160>  1//0<u100>
firebase-server-key  AAAA<u7>:APA91b<u134>
azure-storage-key  AccountKey=<s86>==
azure-sas-signature  https://a.blob.core.windows.net/c?sv=2024-11-04&sig=<b43>%3D
azure-client-secret  <b3>8Q~<b34>
azure-devops-token  <b76>AZDO<b4>
digitalocean-token  dop_v1_<h64>  doo_v1_<h64>
alibaba-access-key  LTAI<b20>
yandex-key  AQVN<u36>
heroku-key  HRKU-AA<u58>
fly-token  fm2_<s180>  fo1_<u43>
cloudflare-token  cfut_<b40><h8>  cfat_<b40><h8>  cfk_<b40><h8>
cloudflare-origin-key  v1.0-<h24>-<h146>
vercel-token  vcp_<crc50>  vck_<crc50>
planetscale-token  pscale_tkn_<u43>  pscale_pw_<u43>
supabase-key  sbp_<h40>  sb_secret_<b22>_<b8>
mongodb-atlas-secret  mdb_sa_sk_<u40>
aiven-password  AVNS_<u19>
tailscale-key  tskey-auth-<b17>-<b32>
netlify-token  nfp_<b36>
render-key  rnd_<b28>
scalingo-token  tk-us-<u48>
openshift-token  sha256~<u43>
github-token  ghp_<crc30>  gho_<crc30>  ghu_<crc30>  ghr_<crc30>  github_pat_<b22>_<b59>  ghs_<d7>_<jwt>
gitlab-token  glpat-<u20>  glpat-<gitlab>  glrt-t1_<gitlab>  gldt-<u20>  glcbt-<h2>_<u20>
bitbucket-token  ATBB<b32>  ATCTT3<u180>=<h8>
npm-token  npm_<crc30>
pypi-token  pypi-AgEIcHlwaS5vcmc<u150>
rubygems-key  rubygems_<h48>
nuget-key  oy2<l43>
crates-token  cio<b30>A4
clojars-token  CLOJARS_<l60>
docker-token  dckr_pat_<u27>  dckr_oat_<u32>
artifactory-key  AKCp<b69>  cmVmdGtu<b56>
buildkite-token  bkua_<h40>
circleci-token  CCIPAT_<b22>_<h40>
harness-key  pat.<u22>.<b24>.<b20>
octopus-key  API-<U26>
sourcegraph-token  sgp_<h16>_<h40>  sgp_<h40>
infracost-key  ico-<b32>
terraform-token  <b14>.atlasv1.<u67>
pulumi-token  pul-<h40>
doppler-token  dp.pt.<b43>  dp.st.prd.<b43>
vault-token  hvs.<u95>  hvb.<u160>
1password-token  ops_<json300>  A3-<U6>-<U6>-<U5>-<U5>-<U5>-<U5>
age-secret-key  AGE-SECRET-KEY-1<a58>
sentry-token  sntryu_<h64>  sntrys_<json120>_<s43>
postman-key  PMAK-<h24>-<h34>
prefect-key  pnu_<b36>
openai-key  sk-proj-<u74>T3BlbkFJ<u74>  sk-<b20>T3BlbkFJ<b20>  sk-svcacct-<u74>T3BlbkFJ<u74>
anthropic-key  sk-ant-api03-<u93>AA  sk-ant-admin01-<u93>AA
openrouter-key  sk-or-v1-<h64>
langfuse-key  sk-lf-<uuid>
huggingface-token  hf_<w34>
groq-key  gsk_<b52>
xai-key  xai-<b80>
perplexity-key  pplx-<b48>
replicate-token  r8_<b37>
langsmith-key  lsv2_pt_<h32>_<h10>
nvidia-key  nvapi-<u64>
pinecone-key  pcsk_<b6>_<b63>
elevenlabs-key  sk_<h48>
tavily-key  tvly-dev-<b32>
slack-token  xoxb-<d12>-<d13>-<b24>  xoxp-<d12>-<d12>-<d13>-<h32>  xapp-1-A<U10>-<d13>-<h64>
slack-webhook  https://hooks.slack.com/services/T<U10>/B<U10>/<b24>
discord-webhook  https://discord.com/api/webhooks/<d18>/<u68>
discord-token  discord M<b23>.<b6>.<b38>
teams-webhook  https://acme.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/<h32>/<uuid>
telegram-token  <d10>:AA<u33>
sendgrid-key  SG.<u22>.<u43>
brevo-key  xkeysib-<h64>-<b16>
mailgun-key  key-<h32>
mailchimp-key  <h32>-us12
resend-key  re_<b8>_<b24>
twilio-key  SK<h32>
stripe-key  sk_live_<b24>  rk_live_<b99>  sk_test_<b24>
stripe-webhook-secret  whsec_<b32>
square-token  EAAA<u60>  sq0atp-<u22>  sq0csp-<u43>
braintree-token  access_token$production$<l16>$<h32>
plaid-token  access-production-<uuid>
shopify-token  shpat_<h32>  shpss_<h32>
shippo-token  shippo_live_<h40>
easypost-key  EZAK<b54>
duffel-token  duffel_live_<u43>
flutterwave-key  FLWSECK-<h32>-X
facebook-token  EAAC<b120>
atlassian-token  ATATT3<u180>=<h8>
okta-token  okta 00<b1><u38>Z
linear-key  lin_api_<b40>
notion-token  ntn_<d11><b35>  secret_<b43>
hubspot-token  pat-na1-<uuid>
asana-token  2/12<d14>/12<d14>:<h32>
figma-token  figd_<u40>
frameio-token  fio-u-<u64>
adobe-secret  p8e-<b32>
airtable-token  airtable pat<b14>.<h64>
contentful-token  CFPAT-<u43>
typeform-token  tfp_<u59>
readme-key  rdme_<l70>
adafruit-key  aio_<b28>
mapbox-secret  sk.<json60>.<u22>
maxmind-key  <b6>_<b29>_mmk
clickhouse-key  4b1d<b37>Z
databricks-token  dapi<h32>  dapi<h32>-2
dynatrace-token  dt0c01.<t24>.<t64>
grafana-token  glsa_<b32>_<h8>  glc_<s96>
new-relic-key  NRAK-<U27>  <h36>NRAL
posthog-key  phx_<b43>
launchdarkly-key  sdk-<uuid>
jwt  <jwt>
"""
TEMPLATES = {
    kind: tuple(templates) for kind, *templates in (line.split("  ") for line in _TEMPLATES.splitlines())
}


def samples(kind: str, count: int, seed: int = 1) -> Iterator[str]:
    """So many credentials of a kind, each of its templates in turn; the same for the same seed."""
    for number in range(count):
        source = random.Random(f"{seed}/{kind}/{number}")  # noqa: S311 (nobody's secrets)
        yield fill(TEMPLATES[kind][number % len(TEMPLATES[kind])], source)


def fill(template: str, source: random.Random) -> str:
    """A template with its parts filled in."""
    return _PART.sub(lambda part: _part(part[1], int(part[2] or 0), source), template)


def draw(alphabet: str, length: int, source: random.Random) -> str:
    """Random characters. An end that is no letter or digit would be read as punctuation."""
    body = "".join(source.choice(alphabet) for _ in range(max(0, length - 1)))
    return body + "".join(source.choice([c for c in alphabet if c.isalnum()]) for _ in range(min(1, length)))


def _part(name: str, length: int, source: random.Random) -> str:
    if name in _ALPHABETS:
        return draw(_ALPHABETS[name], length, source)
    return _PARTS[name](length, source)


def _checked(length: int, source: random.Random) -> str:
    """Random characters and six that check them: CRC-32 in base 62."""
    body = draw(BASE62, length, source)
    return body + _in_base(crc32(body.encode()), BASE62, 6)


def _gitlab(_length: int, source: random.Random) -> str:
    """A payload in base 64, its length in two and a checksum in seven digits of base 36."""
    payload = urlsafe_b64encode(source.randbytes(27)).decode().rstrip("=")
    base36 = string.digits + string.ascii_lowercase
    head = f"{payload}.{_in_base(len(payload), base36, 2)}"
    return head + _in_base(crc32(head.encode()), base36, 7)


def _json(length: int, source: random.Random) -> str:
    """An object in base 64, about as long as asked."""
    value = json.dumps({"iat": source.randrange(10**9), "key": draw(BASE62, length * 3 // 4, source)})
    return b64encode(value.replace(" ", "").encode()).decode().rstrip("=")


def _jwt(_length: int, source: random.Random) -> str:
    payload = {"sub": draw(BASE62, 16, source), "iat": source.randrange(10**9)}
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, payload)]
    encoded = [urlsafe_b64encode(part).decode().rstrip("=") for part in (*parts, source.randbytes(32))]
    return ".".join(encoded)


def _uuid(_length: int, source: random.Random) -> str:
    return str(UUID(int=source.getrandbits(128), version=4))


def _in_base(number: int, digits: str, width: int) -> str:
    text = ""
    while number:
        number, rest = divmod(number, len(digits))
        text = digits[rest] + text
    return text.rjust(width, digits[0])


_PARTS: dict[str, Callable[[int, random.Random], str]] = {
    "crc": _checked,
    "gitlab": _gitlab,
    "json": _json,
    "jwt": _jwt,
    "uuid": _uuid,
}
