"""Credentials of every format, and nobody's."""

from __future__ import annotations

import random

from evals.secret_samples import TEMPLATES, fill, samples

SAMPLES = {kind: list(samples(kind, len(templates))) for kind, templates in TEMPLATES.items()}
ALL_SAMPLES = [(kind, sample) for kind, found in SAMPLES.items() for sample in found]
KEY_BODY = "\n".join(fill("<s64>", random.Random(row)) for row in range(4))
KEY_BLOCK = "-----BEGIN RSA PRIV" + f"ATE KEY-----\n{KEY_BODY}\n-----END RSA PRIV" + "ATE KEY-----"
