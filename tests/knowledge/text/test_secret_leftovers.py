"""Of no kind of secret is anything left, neither in the text nor in an event."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.secret_cases import core_of, positives
from evals.secret_samples import TEMPLATES, samples
from evals.secrets import leftovers
from knowledge.hygiene import purify
from knowledge.secrets import redact

KINDS = st.sampled_from(sorted(TEMPLATES))
HIDDEN = st.sampled_from(["\u200b", "\u2060", "\ufeff", "\u202e", "\xad", "\U000e0041"])
FRAMES = st.sampled_from(
    ['f("{}")', "{}", "x={}\n", "a, {} b", "\\n{}\\n", "`{}`", "<a>{}</a>", "é {} é", "https://u:{}@h.dev/"]
)


@given(KINDS, st.integers(min_value=0, max_value=10**9), FRAMES)
@settings(max_examples=300, deadline=None)
def test_no_eight_characters_of_an_issued_credential_are_left(kind, seed, frame):
    (secret,) = samples(kind, 1, seed)
    result = redact(frame.format(secret))
    core = core_of(secret)
    public = str(TEMPLATES[kind])
    assert [piece for piece in leftovers(core, result.text) if piece not in public] == []
    assert [piece for piece in leftovers(core, repr(result.events)) if piece not in public] == []
    assert result.events


@given(KINDS, st.integers(min_value=0, max_value=10**9), HIDDEN, st.integers(min_value=1, max_value=30))
@settings(max_examples=200, deadline=None)
def test_hidden_character_does_not_save_a_secret(kind, seed, hidden, at):
    (secret,) = samples(kind, 1, seed)
    broken = secret[:at] + hidden + secret[at:]
    assert purify(f'x = "{broken}"').text == redact(f'x = "{secret}"').text


@given(st.integers(min_value=0, max_value=10_000))
@settings(max_examples=5, deadline=None)
def test_nearly_every_secret_is_found_in_its_context(seed):
    cases = [case for case in positives(1, seed) if not case.kind.startswith("assigned")]
    missed = [case.kind for case in cases if leftovers(case.secret, redact(case.text).text)]
    assert len(missed) <= len(cases) * 0.005
