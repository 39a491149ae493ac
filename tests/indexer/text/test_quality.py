"""Quality: parts in [0, 1], the same for all languages, and what moves them."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from cases import rows
from hypothesis import given
from hypothesis import strategies as st

from indexer.quality import CODE_WEIGHTS, SECTION_WEIGHTS, code_quality, density, section_quality
from indexer.quality_types import typed_share
from knowledge.types import Draft, Kind

GOOD = '''def close_stream(stream: Stream, timeout: float = 1.0) -> bool:
    """Close the stream, wait for the writer to finish, and tell whether it did so in time."""
    stream.stop()
    if stream.wait(timeout):
        return True
    return False'''


def unit(body=GOOD, name="Client.close_stream", signature=None, doc="", kind=Kind.UNIT):
    return Draft(
        kind,
        name,
        1,
        body.count("\n") + 1,
        body.split("\n")[0] if signature is None else signature,
        doc,
        body,
    )


def section(body, name="Guide › Retry", doc=""):
    return Draft(Kind.SECTION, name, 1, body.count("\n") + 1, "", doc, body)


def part(name, draft):
    return code_quality(draft).parts[name]


@pytest.mark.parametrize("weights", [CODE_WEIGHTS, SECTION_WEIGHTS])
def test_weights_sum_to_one(weights):
    assert sum(weights.values()) == pytest.approx(1)


@given(st.text(), st.text(), st.text(), st.text(), st.sampled_from([Kind.UNIT, Kind.CLASS, Kind.MODULE]))
def test_score_is_the_weighted_sum_of_parts_in_bounds(name, signature, doc, body, kind):
    draft = Draft(kind, name, 1, 1, signature, doc, body)
    for quality, weights in ((code_quality(draft), CODE_WEIGHTS), (section_quality(draft), SECTION_WEIGHTS)):
        assert list(quality.parts) == list(weights)
        assert all(0 <= value <= 1 for value in quality.parts.values())
        assert quality.score == pytest.approx(sum(weights[k] * v for k, v in quality.parts.items()), abs=1e-5)


def test_doc_comment_counts_by_what_it_adds_to_the_name():
    full = "Wait for the writer to finish its last block, then free the socket and its buffers."
    assert part("documented", unit(doc=full)) == 1.0
    assert part("documented", unit(doc="Close stream.")) == 0.0
    assert 0 < part("documented", unit(doc="Close the stream quietly.")) < 0.5
    assert part("documented", unit()) == 0.0


def test_trivial_and_huge_units_are_worth_less():
    assert part("sized", unit("x = 1")) < part("sized", unit()) == 1.0
    assert part("sized", unit("x = 1\n" * 150)) < 1.0
    assert part("sized", unit("x = 1\n" * 400)) == 0.0


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("Client.close_stream", 1, 1),
        ("parseHTTPHeader", 1, 1),
        ("close", 0.5, 0.95),
        ("f", 0, 0),
        ("x1", 0, 0),
        ("<anonymous>", 0, 0),
        ("", 0, 0),
    ],
)
def test_name_of_words_is_better(name, low, high):
    assert low <= part("named", unit(name=name)) <= high


@pytest.mark.parametrize(
    ("share", "name", "signature"),
    rows("""
        1    f    def f(a: int, b: str = 'x, y') -> bool
        0    f    def f(self, a, *, b=1)
        1    f    def f(self) -> None:
        1/3  f    async def f(a: dict[str, int], b)
        1    f    def f(a: Callable[[int, str], None] = lambda x, y: None) -> None
        1    f    func f(a, b int) error
        1    f    func (s *Server) f(w http.ResponseWriter, r *Request) (int, error)
        1/2  f    func f(a int)
        1    Map  func Map[T any, U any](items []T, f func(T) U) []U
        1    f    public static List<String> f(final int size, Map<String, Integer> m) throws IOException
        1    f    void f()
        1    f    @Override public int f(@Nullable Object o)
        0    f    function f(a, b = 2)
        1    f    function f(a: string, b?: number): Promise<void>
        1/2  f    const f = async (a: string) => {
        1    f    f<T>(value: T): T
        0    f    async f(a, { b, c }) {
        1    f    fn f(a: &str) -> Result<(), Error>
    """),
)
def test_share_of_types_in_any_language(signature, name, share):
    assert typed_share(signature, name) == pytest.approx(float(Fraction(share)))


@pytest.mark.parametrize("signature", ["", "const f = x => x", "class A", "f(", "def f(a: int"])
def test_signature_without_parameters_says_nothing_about_types(signature):
    assert typed_share(signature, "f") is None
    assert part("typed", unit(name="f", signature=signature)) == 0.5


def test_deep_nesting_and_many_branches_are_not_simple():
    deep = "\n".join("    " * level + "if a and b:" for level in range(9)) + "\n" + "    " * 9 + "x()"
    assert part("simple", unit(deep)) < 0.1
    assert part("simple", unit()) > 0.9
    assert part("simple", unit(deep.replace("    ", "\t"))) == part("simple", unit(deep))


@pytest.mark.parametrize(
    "body",
    [
        "def f(a):\n    pass",
        "def f(a): ...",
        'def f(\n    a: int,\n) -> None:\n    """Say what."""\n    pass',
        "def f(a):\n    # later\n    raise NotImplementedError",
        'fn f() {\n    unimplemented!("x")\n}',
        "void f() {\n}",
        "void f() { }",
        "func f() {\n    // nothing\n}",
        "const f = () => {}",
        "class E(Exception):\n    pass",
        'throw new UnsupportedOperationException("no");',
    ],
)
def test_stub_is_not_finished(body):
    assert part("finished", unit(body)) == 0


@pytest.mark.parametrize(
    "body",
    [
        GOOD,
        "def f():\n    try:\n        x()\n    except E:\n        pass",
        "def f(a):\n    return {}",
        "function f() {\n  return {}\n}",
        "void f() {\n  if (x) {\n  }\n}",
        "def f():\n    x = '...'\n    return bypass",
    ],
)
def test_body_that_does_something_is_finished(body):
    assert part("finished", unit(body)) == 1


def test_each_mark_of_open_work_costs():
    one, two = (GOOD + "\n    # TODO: later" * n for n in (1, 2))
    assert part("finished", unit(two)) < part("finished", unit(one)) < 1
    assert part("finished", unit(GOOD + "\n    mastodon = 1")) == 1


def test_section_with_text_and_code_is_best_and_a_bare_heading_worst():
    prose = (
        "## Retry\n\n" + "The client waits for the server and then asks again with the last event id. " * 4
    )
    full = section_quality(section(prose + "\n\n```sh\nretry --now\n```\n"))
    assert full.score == 1.0
    assert section_quality(section(prose)).score < full.score
    assert section_quality(section("## Retry")).score < 0.3
    code_only = section_quality(section("## Retry\n```\n" + "word " * 50 + "\n```"))
    assert code_only.parts["explained"] == 0


def test_far_corner_of_the_outline_is_worth_less():
    body = "## A\n\nSome text that stays the same.\n"
    deep = section_quality(section(body, name=" › ".join("abcdef")))
    assert deep.parts["placed"] < section_quality(section(body, name="a › b")).parts["placed"]
    assert section_quality(section(body, name=" › ".join("abcdefghijkl"))).parts["placed"] > 0


@given(st.text())
def test_density_is_a_share(text):
    assert 0 <= density(text) <= 1


def test_density_rewards_distinct_words_and_damps_short_texts():
    varied = "Retry waits exponentially between attempts, doubles its delay, adds random jitter, fails loudly"
    filler = "it is what it is and that is all that there is to it as it was and as it will be for all of us"
    assert density(varied) > 0.4
    assert density(filler) < 0.1
    assert density("retry") < 0.2
    assert density(" ".join([varied] * 3)) < density(varied)
    assert density("") == 0


def test_density_does_not_fall_with_length_alone():
    words = [f"{a}{b}{c}x" for a in "bcdfghjk" for b in "aeiou" for c in "lmnprstvwz"]
    assert density(" ".join(words)) > density(" ".join(words[:100]))


def test_tens_of_thousands_of_units_take_seconds_at_most():
    draft = unit(GOOD * 3, doc="Wait for the writer to finish its last block, then free the socket.")
    start = time.process_time()
    for _ in range(4_000):
        code_quality(draft)
    assert time.process_time() - start < 1.5
