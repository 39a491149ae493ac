"""Peers that rank functions: BM25 and ripgrep, on a small checkout."""

import pytest

from evals.peers.answers import Piece
from evals.peers.bm25 import Bm25
from evals.peers.ripgrep import Ripgrep, by_worth, rarest_of, search, words_of
from evals.peers.units import UnitMap, units_of


def names(answer):
    return [piece.name for piece in answer.functions]


def test_units_are_functions_outside_of_tests_with_their_source(checkout):
    units = units_of(checkout)
    assert {unit.piece.name for unit in units} >= {"Stream.close", "Stream.open", "zebra_of", "take", "give"}
    assert not any(unit.piece.file.startswith("tests/") for unit in units)
    close = next(unit for unit in units if unit.piece.name == "Stream.close")
    assert close.source.startswith("    def close(self):")
    assert close.piece.text == "Wake the readers."


def test_a_line_belongs_to_the_innermost_function(checkout):
    functions = UnitMap(units_of(checkout))
    assert functions.innermost("src/stream.py", 4).name == "Stream.close"
    assert functions.innermost("src/spare.py", 1) is None
    assert functions.innermost("src/none.py", 1) is None


def test_a_chunk_gives_the_functions_it_holds_half_of_or_the_one_it_holds_most_of(checkout):
    functions = UnitMap(units_of(checkout))
    whole = functions.within(Piece("src/stream.py", 1, 8))
    assert [piece.name for piece in whole] == ["Stream.close", "Stream.open"]
    assert [piece.name for piece in functions.within(Piece("src/stream.py", 5, 5))] == ["Stream.close"]
    assert functions.within(Piece("src/spare.py", 1, 1)) == []
    assert functions.within(Piece("src/none.py", 1, 9)) == []


def test_bm25_finds_by_source_name_and_path(checkout):
    with Bm25().open(checkout) as ask:
        assert names(ask("wake the readers"))[0] == "Stream.close"
        assert names(ask("take"))[0] == "take"
        assert names(ask("pool"))[0] == "take"
        assert names(ask("bread")) == names(ask("")) == []
    assert Bm25().version().startswith("bm25s ")


def test_words_are_those_of_the_text_once_without_stop_words():
    assert words_of("The get_user fails: get_User() in v2, of 404 Zebras") == ["get_user", "fails", "zebras"]


def test_the_rarest_words_occur_and_longer_ones_come_first():
    assert rarest_of({"none": 0, "aa": 1, "bbb": 1, "c": 5, "d": 9}, 3) == ["bbb", "aa", "c"]


def test_lines_match_whatever_the_case_and_within_words(checkout):
    hits = search(checkout, ["common", "zebra"])
    assert [(hit.file, hit.line) for hit in hits if "common" in hit.words] == [
        ("src/pool.py", 3),
        ("src/spare.py", 1),
        ("src/spare.py", 5),
    ]
    assert any(hit.text == "def zebra_of(stream):" and hit.words == {"zebra"} for hit in hits)
    assert search(checkout, []) == []
    assert search(checkout, ["no-such-word", "--files"]) == []


def test_places_with_more_words_then_more_lines_come_first():
    one, two, three = (Piece("a.py", line, line) for line in (1, 2, 3))
    matched = {
        one: [frozenset("a")],
        two: [frozenset("a"), frozenset("a")],
        three: [frozenset("a"), frozenset("b")],
    }
    assert by_worth(matched) == [three, two, one]


def test_ripgrep_ranks_files_and_functions_without_tests(checkout):
    with Ripgrep().open(checkout) as ask:
        answer = ask("Zebra readers")
        assert names(answer)[0] == "Stream.close"
        assert answer.passages[0].file == "src/stream.py"
        assert all(not piece.file.startswith("tests/") for piece in answer.passages)
        assert answer == ask("zebra? READERS!")
        assert ask("of the") == ask("bread") == type(answer)()


@pytest.mark.parametrize("count", [1, 2])
def test_only_the_rarest_words_are_searched_for(checkout, count):
    with Ripgrep(rarest=count).open(checkout) as ask:
        files = {piece.file for piece in ask("pool common").passages}
    assert files == ({"src/pool.py"} if count == 1 else {"src/pool.py", "src/spare.py"})
