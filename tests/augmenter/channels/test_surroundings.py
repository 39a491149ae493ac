"""What speaks for a file, a class or a caller speaks for functions; nicknames for what they mean."""

from __future__ import annotations

import pytest


def signals(item):
    return {name: factor.value for name, factor in item.factors.items()}


def beyond(on, off):
    """The names of signals that one item has and the other has not."""
    return set(signals(on)) - set(signals(off))


def test_file_that_is_mentioned_speaks_for_its_functions(project):
    task = "Sum the account in src/ledger.py, and the pairs of a font"
    on, off = project.rank(task), project.rank(task, "members")
    assert "file_mentioned" in beyond(on["balance"], off["balance"])
    assert "file_mentioned" not in signals(on["kerning"])


def test_words_of_a_file_speak_for_its_functions(project):
    """A file's card has the words of its docstring, and those of its functions' names."""
    task = "Distances between pairs of fonts"
    on, off = project.rank(task), project.rank(task, "members")
    assert {"file_text", "file_count"} <= beyond(on["kerning"], off["kerning"])
    assert 0 < signals(on["kerning"])["file_text"] <= 1


def test_words_of_a_class_speak_for_its_methods(project):
    on = project.rank("Counts calls per second: forget all counts")
    assert 0 < signals(on["RateLimiter.reset"])["class_text"] <= 1
    off = project.rank("Counts calls per second: forget all counts", "members")
    assert "class_text" in beyond(on["RateLimiter.reset"], off["RateLimiter.reset"])


def test_cards_speak_for_functions_where_only_functions_are_asked_for(project):
    task = "The `Postman` puts letters in a queue"
    item = project.rank(task, kinds=("unit",))["Postman.retry_later"]
    assert signals(item)["class_mentioned"] > 0
    assert signals(item)["class_text"] > 0


def test_asking_for_functions_alone_does_not_change_their_order(project):
    task = "The `Postman` counts calls per second and draws an invoice in src/render.py"
    every = [item.id for item in project.rank(task).values() if item.kind == "unit"]
    assert every
    assert [item.id for item in project.rank(task, kinds=("unit",)).values()] == every


def test_what_the_first_candidate_calls_is_called(project):
    task = "Draw the invoice on a page with its letterhead; outlines of a typeface; distances between pairs"
    on = project.rank(task)
    assert signals(on["load_glyphs"])["called_by_first"] > 0
    assert "called_by_first" not in signals(on["draw_invoice"])
    assert "called_by_first" not in signals(on["kerning"])
    assert beyond(on["load_glyphs"], project.rank(task, "relations")["load_glyphs"]) == {"called_by_first"}


@pytest.mark.parametrize("profile", ["rrf", "learned"])
def test_nickname_finds_what_it_stands_for(project, profile):
    task = "The bouncer is slow at night"
    on = project.rank(task, profile=profile)
    first = next(item for item in on.values() if item.kind == "unit")
    assert (first.name, first.channels["exact"]) == ("RateLimiter.check", 1)
    assert "mentioned as alias RateLimiter.check" in first.why
    assert "RateLimiter.check" not in project.rank(task, "glossary", profile=profile)


def test_nickname_is_told_apart_from_what_the_task_names_itself(project):
    by_nickname = signals(project.rank("The bouncer is slow")["RateLimiter.check"])
    by_name = signals(project.rank("`RateLimiter.check` is slow")["RateLimiter.check"])
    assert {"mentioned_alias", "mentioned_backticked"} & by_nickname.keys() == {"mentioned_alias"}
    assert {"mentioned_alias", "mentioned_backticked"} & by_name.keys() == {"mentioned_backticked"}


def test_words_that_a_nickname_adds_find_candidates_and_count_as_no_part_of_the_task(project):
    """The title did not say them: no signal of the title may claim so."""
    found = project.rank("The bouncer is slow", "exact")
    assert "lexical" in found["RateLimiter.check"].channels
    assert not [name for name in signals(found["RateLimiter.check"]) if name.startswith("title_")]
