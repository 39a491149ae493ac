"""Formats of issued credentials: what a provider's keys look like. Data, read by `knowledge.secrets`.

Sources: the providers' own documentation, and the published rule lists of gitleaks, of Kingfisher and of
GitHub's secret scanning partner program, for facts (prefix, alphabet, length), as of November 2026. Lengths
are taken a little wider where a provider has changed them.
"""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """One kind of credential.

    Attributes:
        kind: its name, in events and in the text that replaces it.
        anchors: literals one of which every match contains; the pattern is tried only where one stands. The
            search for anchors is most of the cost of clean text: short and frequent ones are to be avoided.
        pattern: regular expression; if it has a group, the group alone is the secret. Between its first and
            its last character stands nothing outside of `ALPHABET`.
        beside: the anchors are words in lower case that stand anywhere in the text, in any case.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    beside: bool = False


MIN_LENGTH = 20  # characters of a match at least: none of these formats is shorter
MIN_LENGTH_BESIDE = 42  # the same, of those that are known by a word beside them
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:%@$"

_END = r"(?![A-Za-z0-9])"  # a longer run of letters and digits is something else
_BEGIN = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"  # the same at the front, but for an escape
_UUID = r"[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}"

FORMATS: tuple[Format, ...] = (
    # Clouds
    Format(
        "aws-access-key",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _END,
    ),
    Format("aws-bedrock-key", ("ABSK",), r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    Format("aws-mws-token", ("amzn.mws.",), r"amzn\.mws\." + _UUID + _END),
    Format("google-api-key", ("AIza",), r"AIza[\w-]{35}(?![\w-])"),
    Format("google-oauth-secret", ("GOCSPX-",), r"GOCSPX-[\w-]{28}"),
    Format("google-oauth-token", ("ya29.", "1//0"), r"(?:ya29\.[\w-]{20,1000}|1//0[\w-]{40,120})"),
    Format("firebase-server-key", (":APA91b",), r"AAAA[\w-]{7}:APA91b[\w-]{134}(?![\w-])"),
    Format(
        "azure-storage-key",
        ("AccountKey=", "SharedAccessKey="),
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,90}={1,2})",
    ),
    Format("azure-sas-signature", ("sig=",), r"(?<=[?&])sig=([A-Za-z0-9%+/]{40,120}(?:%3[dD]|=)?)"),
    Format(
        "azure-client-secret",
        ("Q~",),
        r"(?:(?<![\w~.-])|(?<=\\[nrt]))([\w~.-]{3}[0-9]Q~[\w~.-]{31,34})(?![\w~.-])",
    ),
    Format(
        "azure-devops-token",
        ("AZDO",),  # at a fixed place of the 84 characters since 2024
        _BEGIN + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" + _END,
    ),
    Format("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[a-f0-9]{64}" + _END),
    Format("alibaba-access-key", ("LTAI",), r"LTAI[A-Za-z0-9]{17,21}" + _END),
    Format("yandex-key", ("AQVN",), r"AQVN[\w-]{35,38}(?![\w-])"),
    Format("heroku-key", ("HRKU-",), r"HRKU-[\w-]{36,70}"),
    Format(
        "fly-token",
        ("fm1_", "fm2_", "fm1r_", "fm1a_", "fo1_"),
        r"f(?:m[12][ar]?_[A-Za-z0-9+/=_-]{60,2000}|o1_[\w-]{43})",
    ),
    Format("cloudflare-token", ("cfut_", "cfat_", "cfk_"), r"cf(?:ut|at|k)_[\w-]{40,60}"),
    Format("cloudflare-origin-key", ("v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}" + _END),
    Format("vercel-token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), r"vc[piark]_[\w-]{24,90}"),
    Format("planetscale-token", ("pscale_",), r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    Format("supabase-key", ("sbp_", "sb_secret_"), r"sb(?:p_[a-f0-9]{40}|_secret_[\w-]{20,50})" + _END),
    Format("mongodb-atlas-secret", ("mdb_sa_sk_",), r"mdb_sa_sk_[\w-]{40}"),
    Format("aiven-password", ("AVNS_",), r"AVNS_[\w-]{19,40}"),
    Format("tailscale-key", ("tskey-",), r"tskey-[a-z]{3,12}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}"),
    Format("netlify-token", ("nfp_",), r"nfp_[A-Za-z0-9]{36,40}" + _END),
    Format("render-key", ("rnd_",), r"rnd_[A-Za-z0-9]{28,32}" + _END),
    Format("scalingo-token", ("tk-us-",), r"tk-us-[\w-]{48}"),
    Format("openshift-token", ("sha256~",), r"sha256~[\w-]{43}(?![\w-])"),
    # Source hosts, registries, builds
    Format(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"g(?:h[pousr]_(?:[A-Za-z0-9]{36,255}|[a-z0-9_]{0,40}eyJ[\w.-]{40,1500})"
        r"|ithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{40,100})" + _END,
    ),
    Format(
        "gitlab-token",
        (
            *("glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glsoat-", "glft-", "glimt-"),
            *("glagent-", "gloas-", "glffct-", "GR1348941", "gitlab_session="),
        ),
        r"(?:gl(?:pat|dt|rtr?|cbt|ptt|soat|ft|imt|agent|oas|ffct)-[\w.-]{20,320}"
        r"|GR1348941[\w-]{20}|gitlab_session=[0-9a-z]{32})" + _END,
    ),
    Format("bitbucket-token", ("ATBB", "ATCTT3"), r"AT(?:BB[A-Za-z0-9_=.-]{24,60}|CTT3[\w=.-]{60,250})"),
    Format("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}" + _END),
    Format("pypi-token", ("pypi-Ag",), r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[\w-]{50,1000}"),
    Format("rubygems-key", ("rubygems_",), r"rubygems_[a-f0-9]{48}" + _END),
    Format("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}" + _END),
    Format("crates-token", ("cio",), r"cio(?=[A-Za-z]*[0-9])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{32}" + _END),
    Format("clojars-token", ("CLOJARS_",), r"CLOJARS_[a-z0-9]{60}" + _END),
    Format("docker-token", ("dckr_",), r"dckr_(?:pat|oat)_[\w-]{27,40}"),
    Format(
        "artifactory-key",
        ("AKCp", "cmVmdGtu"),
        r"(?:AKCp[A-Za-z0-9]{60,80}|cmVmdGtu[A-Za-z0-9]{50,70})" + _END,
    ),
    Format("buildkite-token", ("bkua_",), r"bkua_[a-f0-9]{40}" + _END),
    Format("circleci-token", ("CCIPAT_",), r"CCIPAT_[A-Za-z0-9]{20,24}_[a-f0-9]{40}" + _END),
    Format("harness-key", ("pat.", "sat."), r"[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}" + _END),
    Format("octopus-key", ("API-",), r"API-[A-Z0-9]{26}" + _END),
    Format(
        "sourcegraph-token",
        ("sgp_", "slk_"),
        r"s(?:gp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}|lk_[a-f0-9]{64})" + _END,
    ),
    Format("infracost-key", ("ico-",), r"ico-[A-Za-z0-9]{32}" + _END),
    Format("terraform-token", (".atlasv1.",), _BEGIN + r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    Format("pulumi-token", ("pul-",), r"pul-[a-f0-9]{40}" + _END),
    Format(
        "doppler-token",
        ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?\w{40,44}" + _END,
    ),
    Format("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[\w-]{24,300}"),
    Format(
        "1password-token",
        ("ops_eyJ", "A3-"),
        r"(?:ops_eyJ[A-Za-z0-9+/]{250,}={0,3}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"
        + _END
        + ")",
    ),
    Format("age-secret-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{58}" + _END),
    Format("sentry-token", ("sntrys_", "sntryu_"), r"sntry(?:s_eyJ[\w+/=]{60,400}|u_[a-f0-9]{64})"),
    Format("postman-key", ("PMAK-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}" + _END),
    Format("prefect-key", ("pnu_", "pnb_"), r"pn[ub]_[A-Za-z0-9]{36}" + _END),
    # Models
    Format(
        "openai-key",
        ("sk-",),
        r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{40,200}"
        r"|(?=[A-Za-z]*[0-9])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{32,64}(?![\w-]))",
    ),
    Format("anthropic-key", ("sk-ant-",), r"sk-ant-[\w-]{24,200}"),
    Format("openrouter-key", ("sk-or-v1-",), r"sk-or-v1-[a-f0-9]{64}" + _END),
    Format("langfuse-key", ("sk-lf-",), r"sk-lf-" + _UUID + _END),
    Format("huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{34,40}" + _END),
    Format("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{48,60}" + _END),
    Format("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{70,90}" + _END),
    Format("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,60}" + _END),
    Format("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37}" + _END),
    Format("langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}" + _END),
    Format("nvidia-key", ("nvapi-",), r"nvapi-[\w-]{60,70}"),
    Format("pinecone-key", ("pcsk_",), r"pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,70}" + _END),
    Format("elevenlabs-key", ("sk_",), r"sk_[a-f0-9]{48}" + _END),
    Format("tavily-key", ("tvly-",), r"tvly-(?:[a-z]{3,4}-)?[A-Za-z0-9-]{32,60}" + _END),
    # Chat, mail, phone
    Format(
        "slack-token",
        ("xoxa-", "xoxb-", "xoxe", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-"),
        r"x(?:ox[abceoprsd][.-][\w.%-]{15,300}|app-[0-9]-[\w-]{20,300})",
    ),
    Format(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/((?:services|workflows|triggers)/[A-Za-z0-9+/]{35,120})",
    ),
    Format(
        "discord-webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/webhooks/([0-9]{15,22}/[\w-]{50,90})",
    ),
    Format(
        "discord-token",
        ("discord",),
        r"(?:(?<![\w-])|(?<=\\[nrt]))([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![\w-])",
        beside=True,
    ),
    Format("teams-webhook", (".webhook.office.com/",), r"\.webhook\.office\.com/(webhookb2/[\w@/-]{80,250})"),
    Format("telegram-token", (":AA",), _BEGIN + r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])"),
    Format("sendgrid-key", ("SG.",), r"SG\.[\w-]{16,32}\.[\w-]{30,64}"),
    Format("brevo-key", ("xkeysib-",), r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}" + _END),
    Format("mailgun-key", ("key-",), r"(?:pub)?key-[a-f0-9]{32}" + _END),
    Format("mailchimp-key", ("-us",), _BEGIN + r"[a-f0-9]{32}-us[0-9]{1,2}" + _END),
    Format("resend-key", ("re_",), r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,26}" + _END),
    Format("twilio-key", ("SK",), r"SK[a-f0-9]{32}" + _END),
    # Money and shops
    Format(
        "stripe-key",
        ("k_live_", "k_test_", "k_prod_"),
        r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}" + _END,
    ),
    Format("stripe-webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,64}={0,2}"),
    Format(
        "square-token",
        ("EAAA", "sq0atp-", "sq0csp-", "sq0idp-", "sq0idb-"),
        r"(?:EAAA[\w-]{60}|sq0[a-z]{3}-[\w-]{22,60})(?![\w-])",
    ),
    Format(
        "braintree-token",
        ("access_token$",),
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}" + _END,
    ),
    Format("plaid-token", ("access-",), r"access-(?:sandbox|development|production)-" + _UUID + _END),
    Format(
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" + _END,
    ),
    Format("shippo-token", ("shippo_",), r"shippo_(?:live|test)_[a-fA-F0-9]{40}" + _END),
    Format("easypost-key", ("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{54}" + _END),
    Format("duffel-token", ("duffel_",), r"duffel_(?:test|live)_[\w=-]{43}"),
    Format("flutterwave-key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,40}(?:-X)?"),
    Format("facebook-token", ("EAAC", "EAAB", "EAAM", "EAAG"), r"EAA[BCGM][A-Za-z0-9]{80,300}" + _END),
    # Work and data
    Format("atlassian-token", ("ATATT3",), r"ATATT3[\w=.-]{100,300}"),
    Format(
        "okta-token",
        ("okta", "ssws"),
        r"(?:(?<![\w+/-])|(?<=\\[nrt]))(00[A-Za-z0-9][\w-]{39})(?![\w+/-])",  # nor within base64
        beside=True,
    ),
    Format("linear-key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}" + _END),
    Format("notion-token", ("ntn_", "secret_"), r"(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})" + _END),
    Format("hubspot-token", ("pat-na", "pat-eu"), r"pat-(?:na|eu)[0-9]-" + _UUID + _END),
    Format(
        "asana-token", ("1/1", "2/1"), _BEGIN + r"[12]/(?:[0-9]{12,20}/)?[0-9]{12,20}:[a-f0-9]{32}" + _END
    ),
    Format("figma-token", ("figd_",), r"figd_[\w-]{40,50}"),
    Format("frameio-token", ("fio-u-",), r"fio-u-[\w=-]{64}"),
    Format("adobe-secret", ("p8e-",), r"p8e-[A-Za-z0-9_-]{32}(?![\w-])"),
    Format("airtable-token", ("airtable",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + _END, beside=True),
    Format("contentful-token", ("CFPAT-",), r"CFPAT-[\w-]{43}"),
    Format("typeform-token", ("tfp_",), r"tfp_[\w.=-]{40,70}"),
    Format("readme-key", ("rdme_",), r"rdme_[a-z0-9]{70}" + _END),
    Format("adafruit-key", ("aio_",), r"aio_[A-Za-z0-9]{28}" + _END),
    Format("mapbox-secret", ("sk.eyJ",), r"sk\.eyJ[\w-]{40,300}\.[\w-]{20,40}"),
    Format("maxmind-key", ("_mmk",), _BEGIN + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk" + _END),
    Format("clickhouse-key", ("4b1d",), _BEGIN + r"4b1d(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{38}" + _END),
    Format("databricks-token", ("dapi",), r"dapi[a-f0-9]{32}(?:-[0-9]{1,2})?" + _END),
    Format("dynatrace-token", ("dt0c01.", "dt0s0"), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}" + _END),
    Format(
        "grafana-token",
        ("glsa_", "glc_", "eyJrIjoi"),
        r"(?:gl(?:sa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|c_[A-Za-z0-9+/=]{32,400})|eyJrIjoi[A-Za-z0-9]{70,400}={0,2})",
    ),
    Format(
        "new-relic-key",
        ("NRAK-", "NRII-", "NRJS-", "NRAL"),
        r"(?:NR(?:AK|II|JS)-[A-Za-z0-9_-]{19,40}|[a-f0-9]{36}NRAL" + _END + ")",
    ),
    Format("posthog-key", ("phx_",), r"phx_[A-Za-z0-9]{40,50}" + _END),
    Format("launchdarkly-key", ("sdk-", "api-"), r"(?:sdk|api)-" + _UUID + _END),
    # Open formats
    Format(
        "jwt",
        ("eyJ",),
        r"eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ))[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}",
    ),
)
