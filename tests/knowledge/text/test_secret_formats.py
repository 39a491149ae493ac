"""Secrets that are known by their own form: redacted wherever they stand, and told without their value."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from secret_samples import ALL_SAMPLES, KEY_BLOCK, KEY_BODY, SAMPLES

from knowledge.secret_formats import FORMATS, MIN_LENGTH
from knowledge.secrets import redact
from knowledge.types import HygieneEvent


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
        "password=",
        "PuTTY-User-Key-File-3:\n",
        "curl -",
        "token\n value:",
    ],
)
def test_hostile_text_costs_little(piece):
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    redact(text)
    assert time.process_time() - start < 5


def test_source_code_of_this_project_holds_no_secret():
    root = Path(__file__).parents[3]
    folders = ("knowledge", "tests/knowledge", "tests/support")
    for path in sorted(path for folder in folders for path in root.glob(f"{folder}/**/*.py")):
        assert redact(path.read_text(encoding="utf-8")).events == (), path
