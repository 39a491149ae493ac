"""What holds for every text."""

import pytest
from cases import cells
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.code.source import LONG_LINE_BYTES
from indexer.code.split import SPLIT_LINES
from indexer.extract import extract_code
from indexer.languages import CODE_LANGUAGES
from knowledge.types import Kind

LANGUAGES = [language.name for language in CODE_LANGUAGES]

FRAGMENTS = st.sampled_from(
    [
        *cells("""
            def f(a):  async def g():  class A:  class A {  }  {  (  )  return 1  @dec  @dec(1)  ;  // c
            # c  /* c */  /** d */  's'  function f(a) {  const x = () => {  export default  export
            x: () => 1,  get v() {  static  func (r *T[K]) M() {  package p  type T struct {  interface I {
            enum E {  void m() {  public  abstract f(): void;  new A() {  record R(int a) {  é  名
            <<<<<<< HEAD  module M::N  class << self  end  <<~EOS  =begin  =end  <?php  ?>  trait T {
            extension (a: A)  given A with  f() {  <<EOF  local function f()  --[[  CREATE TABLE t (
            CREATE FUNCTION f() AS $$  BEGIN  ALTER TABLE t ADD x  fn f() {  impl T for A {  cfg_x! {  #[x]
            macro_rules! m {  fun A.f() =  val a get() =  extension A {  var a: Int {  init() {
            namespace a {  template <class T>  A<T>::f() {  class X_API A : B {  typedef struct {  } a;
            int f(a) int a;  int a => 1;  [A]  ~A() {  operator+(  get => 1;  DELIMITER //  GO  $$  /*  '  =
        """),
        *("\n", "\n    ", "\n        ", "\r\n", "\t", '"""doc"""', "\ufeff", "\x0c"),
        *("\n#ifdef A\n", "\n#else\n", "\n#endif\n", "\n#define M(a) \\\n"),
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=60).map(" ".join) | st.text(max_size=200)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_drafts_are_ordered_ranges_of_the_text(language, text):
    drafts = extract_code(language, text)
    assert drafts == extract_code(language, text)
    assert [draft.kind for draft in drafts].count(Kind.MODULE) == 1
    keys = [(draft.start, -draft.end, draft.name) for draft in drafts]
    assert keys == sorted(keys)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").encode("utf-8", "replace").decode().split("\n")
    assert max(map(len, lines)) < LONG_LINE_BYTES
    for draft in drafts:
        assert 1 <= draft.start <= draft.end <= len(lines)
        assert "\n" not in draft.signature
        assert bool(draft.name) == (draft.kind is not Kind.MODULE)
        if draft.kind is Kind.UNIT:
            assert draft.body == "\n".join(lines[draft.start - 1 : draft.end])


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.just(""), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=60))
def test_every_function_of_a_generated_program_is_found(tree):
    """The writer of the program knows what must be found."""
    lines: list[str] = []
    expected: list[tuple[str, int, int]] = []

    def write(node, path):
        indent = "    " * len(path)
        for child in node:
            name = f"f{len(lines)}"
            start = len(lines) + 1
            slot = len(expected)
            expected.append(("", 0, 0))
            lines.append(f"{indent}def {name}(a):")
            write(child, (*path, name))
            lines.append(f"{indent}    return a")
            expected[slot] = (".".join((*path, name)), start, len(lines))

    write(tree, ())
    found = [
        (draft.name, draft.start, draft.end)
        for draft in extract_code("python", "\n".join(lines))
        if draft.kind is Kind.UNIT and not draft.part
    ]
    assert found == expected


BLOCKS = {
    "python": ("def f():", "    if x:", "        y()", "    z()", "    pass"),
    "go": ("func f() {", "\tif x {", "\t\ty()", "\t}", "}"),
    "javascript": ("function f() {", "  if (x) {", "    y();", "  }", "}"),
}


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 90), min_size=1, max_size=12), st.sampled_from(sorted(BLOCKS)))
def test_parts_tile_their_unit(sizes, language):
    header, opening, statement, closing, footer = BLOCKS[language]
    blocks = [line for size in sizes for line in (opening, *[statement] * size, closing)]
    text = "\n".join([header, *blocks, footer])
    whole, *parts = [draft for draft in extract_code(language, text) if draft.kind is Kind.UNIT]
    covered = [row for part in parts for row in range(part.start, part.end + 1)]
    assert (whole.start, whole.end) == (1, len(blocks) + 2)
    assert covered == (list(range(whole.start, whole.end + 1)) if whole.end > SPLIT_LINES else [])
