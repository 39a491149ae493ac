"""Formats of issued credentials: what a provider's keys look like. Data, read by `knowledge.secrets`.

Sources: the providers' own documentation, and the published rule lists of gitleaks and of GitHub's secret
scanning partner program, for facts (prefix, alphabet, length). Lengths are taken a little wider where a
provider has changed them.
"""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """One kind of credential.

    Attributes:
        kind: its name, in events and in the text that replaces it.
        anchors: literals one of which every match contains; the pattern is tried only in texts that have
            one. The search for anchors is the cost of clean text: short and frequent ones are to be avoided.
        pattern: regular expression. It begins with a literal wherever it can, because those are found fast.
            If it has a group, the group alone is the secret.
        beside: the anchors are words that stand somewhere in the text, not within the credential.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    beside: bool = False


MIN_LENGTH = 20  # characters without white space that hold each anchor: none of these formats is shorter


_END = r"(?![A-Za-z0-9])"  # a longer run of letters and digits is something else

FORMATS: tuple[Format, ...] = (
    # Clouds
    Format(
        "aws-access-key",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _END,
    ),
    Format("google-api-key", ("AIza",), r"AIza[\w-]{35}(?![\w-])"),
    Format("google-oauth-secret", ("GOCSPX-",), r"GOCSPX-[\w-]{28}"),
    Format("google-oauth-token", ("ya29.",), r"ya29\.[\w-]{20,1000}"),
    Format(
        "azure-storage-key",
        ("AccountKey=", "SharedAccessKey="),
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,90}={1,2})",
    ),
    Format("azure-sas-signature", ("&sig=", "?sig="), r"[?&]sig=([A-Za-z0-9%+/]{40,120}(?:%3[dD]|=)?)"),
    Format("azure-client-secret", ("Q~",), r"(?<![\w~.-])([\w~.-]{3}[0-9]Q~[\w~.-]{31,34})(?![\w~.-])"),
    Format("digitalocean-token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{64}" + _END),
    Format("alibaba-access-key", ("LTAI",), r"LTAI[A-Za-z0-9]{17,21}" + _END),
    Format("heroku-key", ("HRKU-",), r"HRKU-[\w-]{36,70}"),
    Format("fly-token", ("fm1_", "fm2_", "fm1r_", "fm1a_"), r"fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,2000}"),
    Format("cloudflare-origin-key", ("v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}" + _END),
    Format("planetscale-token", ("pscale_",), r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    Format("supabase-key", ("sbp_", "sb_secret_"), r"sb(?:p_[a-f0-9]{40}|_secret_[\w-]{20,50})" + _END),
    Format("tailscale-key", ("tskey-",), r"tskey-[a-z]{3,12}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}"),
    Format("netlify-token", ("nfp_",), r"nfp_[A-Za-z0-9]{36,40}" + _END),
    # Source hosts, registries, builds
    Format(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"g(?:h[pousr]_[A-Za-z0-9]{36,255}|ithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{40,100})" + _END,
    ),
    Format(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "glft-", "glimt-", "glagent-", "gloas-"),
        r"gl(?:pat|dt|rt|cbt|ptt|soat|ft|imt|agent|oas)-[\w.-]{20,300}",
    ),
    Format("bitbucket-token", ("ATBB", "ATCTT3"), r"AT(?:BB[A-Za-z0-9_=.-]{24,60}|CTT3[\w=.-]{60,250})"),
    Format("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}" + _END),
    Format("pypi-token", ("pypi-Ag",), r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[\w-]{50,1000}"),
    Format("rubygems-key", ("rubygems_",), r"rubygems_[a-f0-9]{48}" + _END),
    Format("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}" + _END),
    Format("crates-token", ("cio",), r"cio(?=[A-Za-z]*[0-9])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{32}" + _END),
    Format("clojars-token", ("CLOJARS_",), r"CLOJARS_[a-z0-9]{60}" + _END),
    Format("docker-token", ("dckr_",), r"dckr_(?:pat|oat)_[\w-]{27,40}"),
    Format("buildkite-token", ("bkua_",), r"bkua_[a-f0-9]{40}" + _END),
    Format("circleci-token", ("CCIPAT_",), r"CCIPAT_[A-Za-z0-9]{20,24}_[a-f0-9]{40}" + _END),
    Format("terraform-token", (".atlasv1.",), r"(?<![A-Za-z0-9])([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70})"),
    Format("pulumi-token", ("pul-",), r"pul-[a-f0-9]{40}" + _END),
    Format(
        "doppler-token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?\w{40,44}" + _END
    ),
    Format("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[\w-]{24,300}"),
    Format("age-secret-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{58}" + _END),
    Format("sentry-token", ("sntrys_", "sntryu_"), r"sntry(?:s_eyJ[\w+/=]{60,400}|u_[a-f0-9]{64})"),
    Format("postman-key", ("PMAK-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}" + _END),
    Format("prefect-key", ("pnu_",), r"pnu_[A-Za-z0-9]{36}" + _END),
    # Models
    Format(
        "openai-key",
        ("sk-",),
        r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{40,200}"
        r"|(?=[A-Za-z]*[0-9])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{32,64}(?![\w-]))",
    ),
    Format("anthropic-key", ("sk-ant-",), r"sk-ant-[\w-]{24,200}"),
    Format("openrouter-key", ("sk-or-v1-",), r"sk-or-v1-[a-f0-9]{64}" + _END),
    Format("huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{34,40}" + _END),
    Format("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{48,60}" + _END),
    Format("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{70,90}" + _END),
    Format("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,60}" + _END),
    Format("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37}" + _END),
    Format("langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}" + _END),
    # Chat, mail, phone
    Format("slack-token", ("xox", "xapp-"), r"x(?:ox[abeoprs]-(?:[\w.-]{15,300})|app-[0-9]-[\w-]{20,300})"),
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
        ("iscord", "ISCORD"),
        r"(?<![\w-])([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![\w-])",
        beside=True,
    ),
    Format("teams-webhook", (".webhook.office.com/",), r"\.webhook\.office\.com/(webhookb2/[\w@/-]{80,250})"),
    Format("telegram-token", (":AA",), r"(?<![A-Za-z0-9])([0-9]{8,10}:AA[\w-]{33})(?![\w-])"),
    Format("sendgrid-key", ("SG.",), r"SG\.[\w-]{16,32}\.[\w-]{30,64}"),
    Format("sendinblue-key", ("xkeysib-",), r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}" + _END),
    Format("mailgun-key", ("key-",), r"(?:pub)?key-[a-f0-9]{32}" + _END),
    Format("mailchimp-key", ("-us",), r"(?<![A-Za-z0-9])([a-f0-9]{32}-us[0-9]{1,2})" + _END),
    Format("twilio-key", ("SK",), r"SK[a-f0-9]{32}" + _END),
    # Money and shops
    Format(
        "stripe-key", ("_live_", "_test_", "_prod_"), r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}" + _END
    ),
    Format("stripe-webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,64}={0,2}"),
    Format("square-token", ("EAAA", "sq0"), r"(?:EAAA[\w-]{60}|sq0[a-z]{3}-[\w-]{22,60})(?![\w-])"),
    Format(
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" + _END,
    ),
    Format("shippo-token", ("shippo_",), r"shippo_(?:live|test)_[a-f0-9]{40}" + _END),
    Format("easypost-key", ("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{54}" + _END),
    Format("flutterwave-key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,40}(?:-X)?"),
    Format("facebook-token", ("EAAC", "EAAB", "EAAM", "EAAG"), r"EAA[BCGM][A-Za-z0-9]{80,300}" + _END),
    # Work and data
    Format("atlassian-token", ("ATATT3",), r"ATATT3[\w=.-]{100,300}"),
    Format("linear-key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}" + _END),
    Format("notion-token", ("ntn_", "secret_"), r"(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})" + _END),
    Format("figma-token", ("figd_",), r"figd_[\w-]{40,50}"),
    Format("airtable-token", ("irtable", "IRTABLE"), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + _END, beside=True),
    Format("contentful-token", ("CFPAT-",), r"CFPAT-[\w-]{43}"),
    Format("typeform-token", ("tfp_",), r"tfp_[\w.=-]{40,70}"),
    Format("readme-key", ("rdme_",), r"rdme_[a-z0-9]{70}" + _END),
    Format("adafruit-key", ("aio_",), r"aio_[A-Za-z0-9]{28}" + _END),
    Format("mapbox-secret", ("sk.eyJ",), r"sk\.eyJ[\w-]{40,300}\.[\w-]{20,40}"),
    Format("databricks-token", ("dapi",), r"dapi[a-f0-9]{32}(?:-[0-9]{1,2})?" + _END),
    Format("dynatrace-token", ("dt0c01.", "dt0s0"), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}" + _END),
    Format(
        "grafana-token",
        ("glsa_", "glc_"),
        r"gl(?:sa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|c_[A-Za-z0-9+/=]{32,400})",
    ),
    Format("new-relic-key", ("NRAK-", "NRII-", "NRJS-"), r"NR(?:AK|II|JS)-[A-Za-z0-9_-]{19,40}"),
    Format(
        "artifactory-key",
        ("AKCp", "cmVmdGtu"),
        r"(?:AKCp[A-Za-z0-9]{60,80}|cmVmdGtu[A-Za-z0-9]{50,70})" + _END,
    ),
    # Open formats
    Format(
        "jwt",
        ("eyJ",),
        r"eyJ(?<![\w-]eyJ)[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}",
    ),
    Format(
        "netrc-password",
        ("machine ",),
        r"machine[ \t]+[\w.-]{1,200}\s+login\s+\S{1,200}\s+password[ \t]+([^\s\[<$]\S{3,200})",
        beside=True,
    ),
)
