"""A classified document is skipped, counted and nowhere in the catalog; an edit lets it in or out."""

from __future__ import annotations

from indexer.sources.walk import SkipReason

TEXT = "---\nclassification: {}\n---\n# Merger\n\nAcme buys Quuxfrobnicator.\n"


def stored(repo):
    return repr(repo.dump())


def test_classified_document_is_left_out_and_counted(repo):
    repo.write("docs/merger.md", TEXT.format("confidential"))
    repo.write("docs/open.md", TEXT.format("public").replace("Quux", "Open"))
    report = repo.index_and_compare()
    assert report.skipped == {SkipReason.CLASSIFIED: 1}
    assert "uuxfrobnicator" not in stored(repo)
    assert "penfrobnicator" in stored(repo)


def test_level_is_read_again_when_document_or_setting_changes(repo):
    repo.write("docs/merger.md", TEXT.format("internal"))
    repo.index()
    assert "uuxfrobnicator" in stored(repo)
    repo.write("docs/merger.md", TEXT.format("secret"))
    repo.index_and_compare()
    assert "uuxfrobnicator" not in stored(repo)
    repo.set(index={"exclude_classification": []})
    repo.index_and_compare()
    assert "uuxfrobnicator" in stored(repo)
