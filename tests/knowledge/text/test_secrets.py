"""Secrets: what is redacted, what is left alone, and what is told about it.

The samples are put together at run time, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import random
import re
import string
import time
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.secret_formats import FORMATS, MIN_LENGTH
from knowledge.secrets import redact, shannon_entropy
from knowledge.types import HygieneEvent

HEX = "0123456789abcdef"
BASE62 = string.ascii_letters + string.digits
URL64 = BASE62 + "-_"


def rand(alphabet, length, seed=7):
    """Random characters, with at least a digit and a capital where the alphabet has them."""
    source = random.Random(f"{seed}{length}")
    body = "".join(source.choice(alphabet) for _ in range(length - 3))
    return (
        "k" * ("k" in alphabet) + body + "".join(c for c in "7Qf3" if c in alphabet)[: 3 - ("k" in alphabet)]
    )


def fixed(alphabet, length):
    text = rand(alphabet, length + 3)
    return text[:length]


SAMPLES = {
    "aws-access-key": [
        "AKI" + "A" + fixed(string.ascii_uppercase + "234567", 16),
        "ASI" + "AIOSFODNN7QWERTYU",
    ],
    "google-api-key": ["AI" + "za" + fixed(URL64, 35)],
    "google-oauth-secret": ["GOC" + "SPX-" + fixed(URL64, 28)],
    "google-oauth-token": ["ya" + "29." + fixed(URL64, 80)],
    "azure-storage-key": ["Account" + "Key=" + fixed(BASE62 + "+/", 86) + "=="],
    "azure-sas-signature": ["&" + "sig=" + fixed(BASE62, 43) + "%3D"],
    "azure-client-secret": ["abc8" + "Q~" + fixed(URL64 + ".~", 33) + "a"],
    "digitalocean-token": ["dop" + "_v1_" + fixed(HEX, 64)],
    "alibaba-access-key": ["LT" + "AI" + fixed(BASE62, 20)],
    "heroku-key": ["HRK" + "U-AA" + fixed(URL64, 58)],
    "fly-token": ["fm2" + "_" + fixed(BASE62 + "+/", 120)],
    "cloudflare-origin-key": ["v1" + ".0-" + fixed(HEX, 24) + "-" + fixed(HEX, 146)],
    "planetscale-token": ["pscale" + "_tkn_" + fixed(URL64, 43)],
    "supabase-key": ["sb" + "p_" + fixed(HEX, 40)],
    "tailscale-key": ["tsk" + "ey-auth-" + fixed(BASE62, 16) + "-" + fixed(BASE62, 32)],
    "netlify-token": ["nf" + "p_" + fixed(BASE62, 36)],
    "github-token": [
        *("gh" + x + "_" + fixed(BASE62, 36) for x in "pousr"),
        "github" + "_pat_" + fixed(BASE62, 22) + "_" + fixed(BASE62, 59),
    ],
    "gitlab-token": ["glp" + "at-" + fixed(URL64, 20), "gld" + "t-" + fixed(URL64, 20)],
    "bitbucket-token": ["AT" + "BB" + fixed(BASE62, 32)],
    "npm-token": ["np" + "m_" + fixed(BASE62, 36)],
    "pypi-token": ["pyp" + "i-AgEIcHlwaS5vcmc" + fixed(URL64, 150)],
    "rubygems-key": ["ruby" + "gems_" + fixed(HEX, 48)],
    "nuget-key": ["oy" + "2" + fixed(string.ascii_lowercase + string.digits, 43)],
    "crates-token": ["ci" + "o" + fixed(BASE62, 30) + "A4"],
    "clojars-token": ["CLO" + "JARS_" + fixed(string.ascii_lowercase + string.digits, 60)],
    "docker-token": ["dckr" + "_pat_" + fixed(URL64, 27)],
    "buildkite-token": ["bk" + "ua_" + fixed(HEX, 40)],
    "circleci-token": ["CCI" + "PAT_" + fixed(BASE62, 22) + "_" + fixed(HEX, 40)],
    "terraform-token": [fixed(BASE62, 14) + ".atlas" + "v1." + fixed(URL64, 67)],
    "pulumi-token": ["pu" + "l-" + fixed(HEX, 40)],
    "doppler-token": ["dp" + ".pt." + fixed(BASE62, 43)],
    "vault-token": ["hv" + "s." + fixed(URL64, 90)],
    "age-secret-key": ["AGE-SECRET" + "-KEY-1" + fixed("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)],
    "sentry-token": ["sntr" + "yu_" + fixed(HEX, 64)],
    "postman-key": ["PM" + "AK-" + fixed(HEX, 24) + "-" + fixed(HEX, 34)],
    "prefect-key": ["pn" + "u_" + fixed(BASE62, 36)],
    "openai-key": ["s" + "k-" + fixed(BASE62, 46) + "A4", "s" + "k-proj-" + fixed(URL64, 120)],
    "anthropic-key": ["sk" + "-ant-api03-" + fixed(URL64, 93) + "AA"],
    "openrouter-key": ["sk" + "-or-v1-" + fixed(HEX, 64)],
    "huggingface-token": ["h" + "f_" + fixed(string.ascii_letters, 34)],
    "groq-key": ["gs" + "k_" + fixed(BASE62, 52)],
    "xai-key": ["xa" + "i-" + fixed(BASE62, 80)],
    "perplexity-key": ["ppl" + "x-" + fixed(BASE62, 48)],
    "replicate-token": ["r" + "8_" + fixed(BASE62, 37)],
    "langsmith-key": ["lsv" + "2_pt_" + fixed(HEX, 32) + "_" + fixed(HEX, 10)],
    "slack-token": [
        "xo" + "xb-123456789012-1234567890123-" + fixed(BASE62, 24),
        "xa" + "pp-1-" + fixed(URL64, 40),
    ],
    "slack-webhook": [
        "hooks.sl"
        + "ack.com/services/T"
        + fixed(BASE62, 10)
        + "/B"
        + fixed(BASE62, 10)
        + "/"
        + fixed(BASE62, 24)
    ],
    "discord-webhook": ["discord.com/api/web" + "hooks/123456789012345678/" + fixed(URL64, 68)],
    "discord-token": ["discord M" + fixed(BASE62, 23) + "." + fixed(BASE62, 6) + "." + fixed(BASE62, 27)],
    "teams-webhook": [
        "x.webhook.off"
        + "ice.com/webhookb2/"
        + fixed(HEX, 36)
        + "@"
        + fixed(HEX, 36)
        + "/IncomingWebhook/"
        + fixed(HEX, 32)
    ],
    "telegram-token": ["123456789" + ":AA" + fixed(URL64, 33)],
    "sendgrid-key": ["S" + "G." + fixed(URL64, 22) + "." + fixed(URL64, 43)],
    "sendinblue-key": ["xkey" + "sib-" + fixed(HEX, 64) + "-" + fixed(BASE62, 16)],
    "mailgun-key": ["ke" + "y-" + fixed(HEX, 32)],
    "mailchimp-key": [fixed(HEX, 32) + "-u" + "s12"],
    "twilio-key": ["S" + "K" + fixed(HEX, 32)],
    "stripe-key": ["sk" + "_live_" + fixed(BASE62, 24), "rk" + "_live_" + fixed(BASE62, 99)],
    "stripe-webhook-secret": ["whs" + "ec_" + fixed(BASE62, 32)],
    "square-token": ["EA" + "AA" + fixed(URL64, 60), "sq" + "0atp-" + fixed(URL64, 22)],
    "shopify-token": ["shp" + "at_" + fixed(HEX, 32)],
    "shippo-token": ["ship" + "po_live_" + fixed(HEX, 40)],
    "easypost-key": ["EZ" + "AK" + fixed(BASE62, 54)],
    "flutterwave-key": ["FLW" + "SECK_TEST-" + fixed(HEX, 12)],
    "facebook-token": ["EA" + "AC" + fixed(BASE62, 120)],
    "atlassian-token": ["ATA" + "TT3" + fixed(URL64, 186)],
    "linear-key": ["lin" + "_api_" + fixed(BASE62, 40)],
    "notion-token": ["nt" + "n_" + fixed(BASE62, 46), "sec" + "ret_" + fixed(BASE62, 43)],
    "figma-token": ["fig" + "d_" + fixed(URL64, 40)],
    "airtable-token": ["airtable pa" + "t" + fixed(BASE62, 14) + "." + fixed(HEX, 64)],
    "contentful-token": ["CF" + "PAT-" + fixed(URL64, 43)],
    "typeform-token": ["tf" + "p_" + fixed(URL64, 59)],
    "readme-key": ["rd" + "me_" + fixed(string.ascii_lowercase + string.digits, 70)],
    "adafruit-key": ["ai" + "o_" + fixed(BASE62, 28)],
    "mapbox-secret": ["sk" + ".eyJ" + fixed(URL64, 60) + "." + fixed(URL64, 22)],
    "databricks-token": ["da" + "pi" + fixed(HEX, 32)],
    "dynatrace-token": [
        "dt0"
        + "c01."
        + fixed(string.ascii_uppercase + "234567", 24)
        + "."
        + fixed(string.ascii_uppercase + "234567", 64)
    ],
    "grafana-token": ["gl" + "sa_" + fixed(BASE62, 32) + "_" + fixed(HEX, 8)],
    "new-relic-key": ["NR" + "AK-" + fixed(string.ascii_uppercase + string.digits, 27)],
    "artifactory-key": ["AK" + "Cp" + fixed(BASE62, 69)],
    "jwt": ["ey" + "J" + fixed(URL64, 20) + "." + "ey" + "J" + fixed(URL64, 40) + "." + fixed(URL64, 43)],
    "netrc-password": ["machine git.acme.org login bot password " + "T0pS3cretPhrase"],
}
ALL_SAMPLES = [(kind, sample) for kind, samples in SAMPLES.items() for sample in samples]
KEY_BODY = "\n".join(fixed(BASE62 + "+/", 64) for _ in range(4))
KEY_BLOCK = "-----BEGIN RSA PRIV" + f"ATE KEY-----\n{KEY_BODY}\n-----END RSA PRIV" + "ATE KEY-----"


def kinds(text):
    return [event.kind.removeprefix("secret:") for event in redact(text).events]


def test_every_format_has_a_sample():
    assert {spec.kind for spec in FORMATS} == set(SAMPLES)


@pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.kind)
def test_anchors_find_every_sample_that_the_pattern_finds(spec):
    for sample in SAMPLES[spec.kind]:
        assert re.search(spec.pattern, sample)
        assert any(anchor in sample for anchor in spec.anchors)
        assert spec.beside or len(sample) >= MIN_LENGTH


@pytest.mark.parametrize(("kind", "sample"), ALL_SAMPLES)
@pytest.mark.parametrize("frame", ['x\nvalue("{}")\n', "x\n{}\n", "x\nA={}\n", "x\n- `{}`, and\n"])
def test_issued_credential_is_redacted_wherever_it_stands(kind, sample, frame):
    text = frame.format(sample)
    result = redact(text)
    assert f"[redacted:{kind}]" in result.text
    assert sample[-12:] not in result.text
    assert [event.line for event in result.events] == [2]
    assert result.text.count("\n") == text.count("\n")


@pytest.mark.parametrize(("kind", "sample"), [pair for pair in ALL_SAMPLES if " " not in pair[1]])
def test_credential_inside_a_longer_word_is_something_else(kind, sample):
    if sample[0].isalnum() and "/" not in sample and kind not in ("azure-storage-key", "discord-webhook"):
        assert kind not in kinds(f"call(q{sample})")


@given(
    st.lists(
        st.sampled_from(
            [s for _, s in ALL_SAMPLES]
            + [KEY_BLOCK, "a://b:", "@h", '"', "token='", " ", "\n", "x", "-", "_", "eyJ"]
        )
    )
)
@settings(max_examples=150, deadline=None)
def test_redacting_twice_is_redacting_once(pieces):
    text = "".join(pieces)
    once = redact(text)
    assert once.text.count("\n") == text.count("\n")
    assert redact(once.text) == type(once)(once.text)


@given(st.text())
def test_any_text_keeps_its_lines_and_tells_every_change(text):
    result = redact(text)
    assert result.text.count("\n") == text.count("\n")
    assert bool(result.events) == (result.text != text)


def test_secrets_without_a_gap_are_all_redacted():
    text = SAMPLES["sentry-token"][0] * 9 + SAMPLES["aws-access-key"][0]
    assert redact(text).text == "[redacted:sentry-token]" * 9 + "[redacted:aws-access-key]"


def test_events_carry_no_value():
    sample = SAMPLES["stripe-key"][0]
    assert redact(f"a\nb {sample} c {sample[:-1]}x").events == (HygieneEvent(2, "secret:stripe-key", 2),)


def test_private_key_block_keeps_the_lines_that_follow_in_place():
    text = f'KEY = """{KEY_BLOCK}"""\nafter = 1\n'
    result = redact(text)
    assert result.text.splitlines()[0] == 'KEY = """[redacted:private-key]'
    assert result.text.splitlines()[6] == "after = 1"
    assert result.text.splitlines()[5] == '"""'
    assert result.events == (HygieneEvent(1, "secret:private-key"),)


@pytest.mark.parametrize("name", ["", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "])
def test_private_keys_of_every_kind_are_redacted(name):
    block = " BLOCK" if name == "PGP " else ""
    text = KEY_BLOCK.replace("RSA PRIV" + "ATE KEY", f"{name}PRIV" + f"ATE KEY{block}")
    assert redact(text).text.rstrip("\n") == "[redacted:private-key]"


def test_public_key_is_left_alone():
    text = KEY_BLOCK.replace("RSA PRIV" + "ATE", "PUBLIC")
    assert redact(text).text == text


def test_private_key_in_json_is_redacted():
    escaped = KEY_BLOCK.replace("\n", "\\n")
    assert redact(f'{{"private_key": "{escaped}\\n"}}').text == '{"private_key": "[redacted:private-key]\\n"}'


def test_private_key_without_its_end_is_redacted():
    cut = KEY_BLOCK.split("-----END", maxsplit=1)[0]
    assert redact(cut + "\nnext line").text.endswith("\nnext line")
    assert KEY_BODY[:20] not in redact(cut).text


def test_mention_of_a_private_key_is_no_secret():
    text = 'if text.startswith("-----BEGIN PRIV' + 'ATE KEY-----"):\n    return parse(text)\n'
    assert redact(text).text == text


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


def test_source_code_of_this_project_holds_no_secret():
    root = Path(__file__).parents[3]
    for path in sorted([*root.glob("knowledge/**/*.py"), *root.glob("tests/knowledge/**/*.py")]):
        assert redact(path.read_text(encoding="utf-8")).events == (), path


@pytest.mark.parametrize(
    "piece",
    [
        "token",
        "passw",
        "eyJ-",
        "sk-",
        "://a:",
        "-----BEGIN PRIV" + "ATE KEY-----",
        "Authorization: Bearer a",
        "xox",
        "machine a login b ",
    ],
)
def test_hostile_text_costs_little(piece):
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    redact(text)
    assert time.process_time() - start < 5


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
    ],
)
def test_placeholder_reference_or_name_is_left_alone(line):
    assert redact(line).text == line


def test_capitals_that_grow_in_lower_case_do_not_shift_the_redaction():
    assert redact(f'"İİİİ" api_key = "{VALUE}"').text == '"İİİİ" api_key = "[redacted:assigned-value]"'


def test_entropy_of_a_uniform_alphabet_is_its_logarithm():
    assert shannon_entropy(HEX) == 4.0
    assert shannon_entropy("aaaa") == 0.0
