"""The measure of redaction: its set is made the same way each time, and it judges as it says."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from secret_samples import KEY_BLOCK, SAMPLES

from evals import secrets
from evals.secret_cases import Case, harmless, positives
from knowledge.secret_formats import FORMATS

TOKEN = SAMPLES["github-token"][0]


def test_the_set_is_the_same_for_the_same_seed_and_covers_every_format():
    cases = list(positives(1, 3))
    assert cases == list(positives(1, 3)) != list(positives(1, 4))
    assert {case.kind for case in cases} >= {spec.kind for spec in FORMATS}
    assert all(case.secret in case.text for case in cases)
    assert not any(case.secret for case in harmless(1, 3))


def test_a_secret_is_found_only_if_nothing_of_it_is_left():
    assert secrets.ours(Case("format", "x", ".py", f"a = '{TOKEN}'", TOKEN), Path())
    assert not secrets.ours(Case("format", "x", ".py", f"a = '{TOKEN}' # {TOKEN[4:14]}", TOKEN), Path())
    assert secrets.leftovers("redacted", "[redacted:redacted-x]") == []


def test_counts_are_kept_by_group_and_kind():
    cases = [Case("format", "a", ".py", TOKEN, TOKEN), Case("format", "b", ".py", "none", "none")]
    table = secrets.table(secrets.measure(cases, {"ours": secrets.ours}), "format", ["ours"])
    assert table.splitlines()[2:] == ["| a | 1 | 100.0 |", "| b | 1 | 0.0 |", "| together | 2 | 50.0 |"]


def test_redaction_in_a_repository_is_shown_without_its_value(tmp_path):
    root = tmp_path / "acme"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "config").write_text(TOKEN)
    (root / "a.py").write_text(f"x = 1\nKEY = '{TOKEN}'  # é\n")
    (root / "k.txt").write_text(KEY_BLOCK)
    (root / "b.bin").write_bytes(b"\xff\xfe\x00")
    judged = tmp_path / "judged.tsv"
    judged.write_text("acme\tk.txt\tprivate-key\treal\tof a test\n")
    text = secrets.repository_table([root], judged, listed=True)
    assert "| acme | 9 | 2 | 1 | 0 | 0 | 1 | 1111.11 |" in text
    assert f"| acme | a.py:2 | github-token | `ghp_…{TOKEN[-4:]} ({len(TOKEN)})` | not judged |" in text
    assert "| real: of a test |" in text
    assert TOKEN[4:-4] not in text


def test_verdicts_of_the_repository_can_be_read():
    known = secrets.verdicts(secrets.JUDGED)
    assert {verdict for verdict, _ in known.values()} <= set(secrets.VERDICTS)
    assert all(reason for _, reason in known.values())


def test_command_prints_recall_and_false_alarms(capsys, monkeypatch):
    monkeypatch.setattr(secrets, "detect_secrets_or_none", lambda: None)
    assert secrets.main(["--per-place", "1", "--seed", "2"]) == 0
    out, err = capsys.readouterr()
    assert "detect-secrets is not installed" in err
    shares = {
        row.split(" | ")[0].removeprefix("| "): float(row.split(" | ")[2].rstrip(" |"))
        for row in out.splitlines()
        if row.count("|") == 4 and "---" not in row and " n " not in row
    }
    assert shares["github-token"] == 100.0
    assert shares["placeholder"] == shares["hash"] == 0.0


def test_detect_secrets_sees_the_same_files(tmp_path):
    detect = secrets.detect_secrets_or_none()
    assert (detect is None) == (find_spec("detect_secrets") is None)
    if detect is None:
        return
    file = tmp_path / "a.py"
    file.write_text(f'password = "{TOKEN}"\n')
    case = Case("format", "x", ".py", file.read_text(), TOKEN)
    assert detect(case, file)
