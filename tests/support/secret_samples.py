"""Credentials of every format, and nobody's.

They are put together at run time, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import random
import string

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
