"""Secrets that are known by what stands around them, and what only looks like one."""

from __future__ import annotations

from base64 import b64encode

import pytest

from evals.secret_samples import HEX
from knowledge.secret_values import shannon_entropy
from knowledge.secrets import redact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgres://app:hunt3r-2§db:5432/x", "postgres://app:[redacted:url-password]§db:5432/x"),
        ("redis://:S3cure99§cache/0", "redis://:[redacted:url-password]§cache/0"),
        ("https://u:p§ss§host/x", "https://u:[redacted:url-password]§host/x"),
        ("mongodb+srv://a:b1c2§c.mongodb.net", "mongodb+srv://a:[redacted:url-password]§c.mongodb.net"),
    ],
)
def test_password_in_a_url_is_redacted_and_the_rest_stays(text, expected):
    assert redact(text.replace("§", "@")).text == expected.replace("§", "@")


@pytest.mark.parametrize(
    "text",
    [
        "postgres://user:password@localhost/db",
        "postgres://app:${DB_PASSWORD}@db/x",
        "postgres://app:{password}@db/x",
        "http://localhost:8080/@types/node",
        "https://example.org/a:b@c",
        "git@github.com:org/repo.git",
        "http://user:<password>@host",
    ],
)
def test_url_without_a_real_password_is_left_alone(text):
    assert redact(text).text == text


VALUE = "q8Zt3" + "Lm0Xw7" + "Rb5Kc2Vn9Jd"


@pytest.mark.parametrize(
    "line",
    [
        'api_key = "{}"',
        "API_KEY: '{}',",
        '"clientSecret": "{}",',
        'const accessToken: string = "{}";',
        'private static final String AUTH_TOKEN = "{}";',
        'token := "{}"',
        ":secret => '{}'",
        'os.environ["APP_SECRET"] = "{}"',
        'setenv("GATEWAY_TOKEN", "{}")',
        "SERVICE_TOKEN={}",
        "export AWS_SECRET_ACCESS_KEY={}",
    ],
)
def test_random_value_assigned_to_a_telling_name_is_redacted(line):
    assert redact(line.format(VALUE)).text == line.format("[redacted:assigned-value]")


@pytest.mark.parametrize(
    "line",
    [
        "api_key: {}",
        "  client-secret = {}  # rotate",
        "export service_token={}",
        "db.token={}\r",
        "- token: {}",
    ],
)
def test_bare_value_in_a_settings_file_is_redacted(line):
    text = f"# settings\n{line.format(VALUE)}\nnext: 1\n"
    assert redact(text).text == f"# settings\n{line.format('[redacted:assigned-value]')}\nnext: 1\n"


@pytest.mark.parametrize(
    "line",
    [
        "password: Base64Decoder",
        "token = request.session.Token2Value",
        "self.token = settings.ACCESS_TOKEN_V2",
        "password: string",
        "const token = parseToken1(value)",
        "token: abcDef12 or other",
        "TOKEN_LIFETIME_SETTING=access_token_lifetime_2",
    ],
)
def test_code_that_assigns_a_name_is_left_alone(line):
    assert redact(line).text == line


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Token"])
@pytest.mark.parametrize(
    "frame", ["Authorization: {} {}", "{{'authorization': '{} {}'}}", '("Authorization", "{} {}")']
)
def test_authorization_header_is_redacted(scheme, frame):
    assert redact(frame.format(scheme, VALUE)).text == frame.format(scheme, "[redacted:authorization]")


def test_basic_authorization_is_redacted_unless_it_is_a_sample():
    real, sample = (b64encode(pair).decode() for pair in (b"deploy:n0t-y0urs-77", b"username:password"))
    assert redact(f"Authorization: Basic {real}").text == "Authorization: Basic [redacted:authorization]"
    assert redact(f"Authorization: Basic {sample}").events == ()
    assert redact("Authorization: Basic authentication-scheme2").events == ()


def test_signs_within_a_password_do_not_make_it_a_reference():
    assert redact('password = "Tr0ub$4d%r<3' + 'x"').text == 'password = "[redacted:assigned-value]"'


def test_mixed_password_is_redacted_even_if_short():
    assert redact('password = "Tr0ub4' + 'dor&3"').text == 'password = "[redacted:assigned-value]"'


@pytest.mark.parametrize(
    "line",
    [
        'password = "changeme"',
        'password = "secret"',
        'api_key = "YOUR_API_KEY_GOES_HERE_1"',
        'api_key = "your-api-key-goes-here-123"',
        'token = "xxxxxxxxxxxxxxxxxxxxxx1a"',
        'token = "<token-from-the-console-42>"',
        'token = "${SERVICE_TOKEN_FROM_ENV_2}"',
        'secret = "{{ vault.path.of.secret.v1 }}"',
        'token = os.environ["SERVICE_TOKEN_V2_PRODUCTION"]',
        'password_field = "old_password_confirmation_2"',
        'token_url = "https://auth.acme.org/oauth2/token"',
        'TOKEN_FILE = "/var/run/secrets/token.v1"',
        'secret_name = "projects/acme/secrets/signing"',
        'api_key = "AKIAexample-dummy-4711-aaaa"',
        'token_type = "urn:ietf:params:oauth:token-type"',
        "tokens = ['identifier', 'number2', 'string']",
        'password = "[redacted:assigned-value]"',
        '<Reference Include="Acme.Core, Culture=neutral, PublicKeyToken=842cf8be1de50553" />',
        '<assemblyIdentity name="Acme.Core" publicKeyToken="b77a5c561934e089" />',
        'var okta = "iVBORw0KGgo/00InAbCdEfGhIjKlMnOpQrStUvWxYz0123456789dr/Jq"',
    ],
)
def test_placeholder_reference_or_name_is_left_alone(line):
    assert redact(line).text == line


def test_capitals_that_grow_in_lower_case_do_not_shift_the_redaction():
    assert redact(f'"İİİİ" api_key = "{VALUE}"').text == '"İİİİ" api_key = "[redacted:assigned-value]"'


def test_entropy_of_a_uniform_alphabet_is_its_logarithm():
    assert shannon_entropy(HEX) == 4.0
    assert shannon_entropy("aaaa") == 0.0
