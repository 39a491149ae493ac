"""How text becomes terms, and that the full-text index keeps exactly these."""

import sqlite3
import sys
import unicodedata
from contextlib import closing

import pytest
from cases import rows
from hypothesis import example, given, settings
from hypothesis import strategies as st

from knowledge.catalog.schema import migrate
from knowledge.terms import MAX_NAME, MAX_WORD, split_identifier, stem, term_text, terms, whole, words


@pytest.mark.parametrize(
    ("identifier", "parts"),
    rows("""
        getUserName      get user name
        get_user_name    get user name
        GetUserName      get user name
        GET_USER_NAME    get user name
        get-user-name    get user name
        HTTPServer2      http server 2
        XMLHttpRequest   xml http request
        parseHTTPHeader  parse http header
        utf8Decode       utf 8 decode
        __init__         init
        _private         private
        $scope           scope
        jQuery$fn        j query fn
        ÄrgerStufe       ärger stufe
        größenÄnderung   grössen änderung
        größe_maß2       grösse mass 2
        НазваниеФайла    название файла
        naïveUserÉcole   naïve user école
        ΑρχείοΡοής       αρχείο ροήσ
        ٣x               ٣ x
        _                ""
        ""               ""
    """),
)
def test_identifier_is_split(identifier, parts):
    assert " ".join(split_identifier(identifier)) == parts


@pytest.mark.parametrize(
    ("text", "expected"),
    rows("""
        closing streams           close stream
        getUserName               get user name getusername
        get_user_name             get user name getusername
        GET_USER_NAME             get user name getusername
        src/user-agent.py         src user agent py
        __init__ _private $scope  init privat scope
        HTTPServer2               http server httpserver2
        x, y and the z            ""
        isValid                   valid isvalid
        don't do it               ""
        don’t                     ""
        42 and 7                  42
        a1b2                      a1b2
        ﬁle x²                    file x2
        Größe GRÖSSE größe        grösse grösse grösse
        İstanbul                  i̇stanbul
        日本語                       日本 本語
        猫                         猫
        人々                        人々
        한국어 문서                    한국 국어 문서
        修复get_user_name函数         修复 get user name getusername 函数
        ภาษาไทย                   ภา าษ ษา าไ ไท ทย
        हिन्दी भाषा               हिन्दी भाषा
        𠀀𠀁𠀂                       𠀀𠀁 𠀁𠀂
        ""                        ""
    """),
)
def test_text_becomes_terms(text, expected):
    assert term_text(text) == expected


@pytest.mark.parametrize("text", ["Änderung größe", "café école", "Pokémon", "한국어", "ガギグ", "हिन्दी"])
def test_composed_and_decomposed_letters_are_the_same(text):
    forms = {term_text(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("ＧＥＴ", "get"), ("STRASSE", "straße"), ("ΟΔΟΣ", "οδος"), ("Ǆ", "ǆ")]
)
def test_compatible_spellings_are_the_same(one, other):
    assert term_text(one) == term_text(other)


part = st.sampled_from(["get", "user", "name", "http", "server", "stream", "close", "parse", "größe", "файл"])


@given(st.lists(part, min_size=2, max_size=5))
def test_all_styles_of_an_identifier_give_the_same_terms(parts):
    snake = "_".join(parts)
    camel = parts[0] + "".join(word.title() for word in parts[1:])
    spellings = {term_text(spelling) for spelling in (snake, snake.upper(), camel, f"_{snake}", f"${camel}")}
    assert len(spellings) == 1
    assert whole(snake) == whole(camel) == terms(snake)[-1]


@given(part)
def test_whole_of_a_single_word_is_its_term(word):
    assert [whole(word)] == terms(word)


def test_hashes_and_encoded_data_are_no_words():
    data = "QmFzZTY0IGVuY29kZWQgZGF0YSBpcyBub3QgdGV4dCBhbmQgaGFzIG5vIHdvcmRzIGluIGl0IGF0IGFsbCE"
    for run in ("a" * (MAX_WORD + 1), "3f" * MAX_WORD, data, "get_" * MAX_NAME):
        assert term_text(f"before {run} after") == ""


def test_long_name_of_a_test_is_a_name():
    name = "test_that_closing_a_stream_twice_does_not_raise_and_leaves_the_pool_usable"
    assert len(name) > MAX_WORD
    assert {"close", "stream", "pool", "usabl"} <= set(terms(name))


def test_long_run_without_spaces_is_no_long_word():
    assert len(terms("流れ" * MAX_WORD)) == 2 * MAX_WORD - 1


@given(st.text())
def test_terms_are_words_in_one_case(text):
    for term in terms(text):
        assert term == term.lower()
        assert words(term)
        assert term.strip() == term


@given(st.text())
def test_text_and_its_terms_are_the_same_thing(text):
    assert term_text(text) == " ".join(terms(text))
    assert term_text(f"{text} {text}").split() == terms(text) * 2


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_term_of_a_term_is_its_stem(text):
    """Terms are made of stems, and Porter's stems can be stemmed again: ``generous`` → gener."""
    for term in terms(text):
        assert set(terms(term)) <= {
            term,
            stem(term),
            *map(stem, split_identifier(term)),
            "".join(split_identifier(term)),
        }


@pytest.fixture(scope="module")
def indexed():
    """Terms of a text as the catalog's full-text index tells them, in order."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection)
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search, instance)")

        def index(text):
            connection.execute("INSERT INTO search (search) VALUES ('delete-all')")
            connection.execute("INSERT INTO search (rowid, body) VALUES (1, ?)", (text,))
            rows = connection.execute("SELECT term FROM vocabulary ORDER BY offset")
            return [term for (term,) in rows]

        yield index


# SQLite and Python may know different versions of Unicode; both know what Unicode 3.2 had.
old_unicode = st.characters(exclude_categories=["Cs", "Cn"]).filter(
    lambda char: unicodedata.ucd_3_2_0.category(char) != "Cn"
)
# Letters that fold, compose or join in ways of their own.
peculiar = st.sampled_from(
    "aZ9_$ -'’.ßİıſŉǰǅΣσςΐᾳẛ\u0301\u0308\u0327\u0345ÄéñŁđøØþÞ½²ªµΩKÅﬁĳʼ·ЁйЇԱֆაᲐჀאבּע़ًहिन्दीกำລຳကျ"
    "ក្ក日本語々〇ー한ᄒ𝐀𝟘𠀀①⅓Ⅷ〱\u200d\u200c\ufe0f"
)


@settings(max_examples=300)
@given(st.one_of(st.text(old_unicode, max_size=60), st.text(peculiar, max_size=30)))
@example("a\u0345b")
@example("ﷺ")
@example("İ")
def test_full_text_index_holds_exactly_our_terms(indexed, text):
    ours = term_text(text)
    assert indexed(ours) == ours.split()


def test_full_text_index_reads_every_character_as_we_do(indexed):
    """Every letter, digit and mark of Unicode 3.2, alone, within a word and doubled."""
    codes = (code for code in range(0x80, sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    chars = [chr(code) for code in codes if unicodedata.ucd_3_2_0.category(chr(code))[0] in "LNM"]
    for start in range(0, len(chars), 20_000):
        ours = term_text(" ".join(f"{char} q{char}q {char}{char}" for char in chars[start : start + 20_000]))
        assert indexed(ours) == ours.split()
