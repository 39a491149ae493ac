"""SQL scripts of any dialect: where statements end, what they become, and what stays on the module's card."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.extract import extract_code
from indexer.sql.lexer import split
from knowledge.types import Kind


def found(text):
    return [
        (d.name, d.start, d.end)
        for d in extract_code("sql", text)
        if d.kind is not Kind.MODULE and not d.part
    ]


def card(text):
    return extract_code("sql", text)[0]


def only(text):
    (draft,) = [d for d in extract_code("sql", text) if d.kind is not Kind.MODULE and not d.part]
    return draft


def statements(text):
    data = text.encode()
    return [data[s.start : s.end].decode() for s in split(data).statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        ("SELECT 'a;''b'; SELECT 2", ["SELECT 'a;''b'", "SELECT 2"]),
        ("SELECT '\\'; SELECT 2", ["SELECT '\\'", "SELECT 2"]),
        ("SELECT `a`, 'it\\'s;'; SELECT 2", ["SELECT `a`, 'it\\'s;'", "SELECT 2"]),
        ("SELECT E'it\\'s;'; SELECT 2", ["SELECT E'it\\'s;'", "SELECT 2"]),
        ("DO $a$ x; $$ y; $$ z; $a$; SELECT 2", ["DO $a$ x; $$ y; $$ z; $a$", "SELECT 2"]),
        ("SELECT $1; SELECT $2;", ["SELECT $1", "SELECT $2"]),
        ("SELECT 1 -- a; b\n; /* c; */ SELECT 2", ["SELECT 1 -- a; b", "SELECT 2"]),
        ("SELECT 'never closed; SELECT 2;", ["SELECT 'never closed", "SELECT 2"]),
        ("SELECT 1 /* never closed; SELECT 2", ["SELECT 1 /* never closed", "SELECT 2"]),
        ("DELIMITER //\nSELECT 1; SELECT 2 //\nDELIMITER ;\nSELECT 3;", ["SELECT 1; SELECT 2", "SELECT 3"]),
        (
            "CREATE PROCEDURE p AS SELECT 1; SELECT 2\ngo\nSELECT 3",
            ["CREATE PROCEDURE p AS SELECT 1; SELECT 2", "SELECT 3"],
        ),
        ("BEGIN; SELECT 1; END;", ["BEGIN", "SELECT 1", "END"]),
        (
            "BEGIN TRANSACTION\nCREATE TABLE a (b int)\nCOMMIT",
            ["BEGIN TRANSACTION", "CREATE TABLE a (b int)\nCOMMIT"],
        ),
        ("COPY t FROM STDIN;\n1\t'x;\n\\.\nSELECT 2;", ["COPY t FROM STDIN;\n1\t'x;\n\\.", "SELECT 2"]),
        ("\\set x 'y;\nSELECT 1;", ["SELECT 1"]),
    ],
)
def test_statements_end_where_their_dialect_ends_them(text, expected):
    assert statements(text) == expected


def test_body_of_a_routine_ends_with_its_outermost_block():
    body = (
        "BEGIN IF a THEN BEGIN b; END; END IF; SET c = CASE d WHEN 1 THEN 2 END;"
        " CASE e WHEN 1 THEN f; END CASE; END"
    )
    text = f"CREATE TRIGGER t AFTER INSERT ON u FOR EACH ROW {body};\nSELECT 1;"
    assert statements(text) == [f"CREATE TRIGGER t AFTER INSERT ON u FOR EACH ROW {body}", "SELECT 1"]


def test_changes_of_a_table_are_found_by_what_they_do():
    text = (
        "-- Couriers need notes.\nALTER TABLE orders ADD COLUMN note text;\n"
        "ALTER TABLE orders DROP COLUMN old;\nALTER TABLE other ADD COLUMN x int;\n"
        "ALTER TABLE orders ADD COLUMN y int;\n"
    )
    assert found(text) == [("orders.alter", 2, 3), ("other.alter", 4, 4), ("orders.alter", 5, 5)]
    first = extract_code("sql", text)[1]
    assert first.signature == "ALTER TABLE orders ADD COLUMN note text; ALTER TABLE orders DROP COLUMN old"
    assert first.doc == "Couriers need notes."
    assert "DROP COLUMN old" in card(text).body


def test_what_dumps_say_of_every_table_is_no_unit():
    owner = "ALTER TABLE a OWNER TO b;\n"
    assert found(f"{owner}ALTER TABLE ONLY a ALTER COLUMN id SET DEFAULT nextval('s');\nSET x = 1;\n") == []


def test_comment_statements_document_what_they_describe():
    text = (
        "CREATE TABLE a (b int);\nCOMMENT ON TABLE a IS 'What it''s for.';\nCOMMENT ON COLUMN a.b IS 'no';\n"
    )
    assert only(text).doc == "What it's for."


def test_queries_with_a_name_are_units():
    text = "-- name: FindOrder :one\nSELECT 1;\n\n--name: drop-all!\nDELETE FROM a;\n-- no name\nSELECT 2;\n"
    assert found(text) == [("FindOrder", 2, 2), ("drop-all", 5, 5)]


def test_statement_too_large_for_the_card_is_a_unit_in_parts():
    text = "WITH a AS (\n" + "  SELECT 1 UNION ALL\n" * 300 + "SELECT 2)\nSELECT * FROM a;\n"
    drafts = extract_code("sql", text)
    assert {draft.name for draft in drafts[1:]} == {"query"}
    assert [draft.part for draft in drafts[1:]][:3] == [0, 1, 2]
    assert len(drafts[0].body) < 100


def test_members_of_a_package_are_units_of_their_own():
    text = (
        "CREATE OR REPLACE PACKAGE BODY shop.orders IS\n  limit CONSTANT NUMBER := 3;\n\n"
        "  -- Sums.\n  FUNCTION total(a NUMBER DEFAULT f(1, 2), b VARCHAR2 := ';') RETURN NUMBER IS\n"
        "    PROCEDURE inner_one IS BEGIN NULL; END;\n"
        "  BEGIN\n    IF a THEN RETURN CASE a WHEN 1 THEN 2 END; END IF;\n"
        "    $IF x $THEN NULL; $END\n    RETURN 1;\n  END total;\n\n  PROCEDURE later(a NUMBER);\n"
        "  FUNCTION foreign RETURN NUMBER AS LANGUAGE JAVA NAME 'x';\n"
        "BEGIN\n  later(1);\nEND orders;\n/\nSELECT 1;\n"
    )
    assert found(text) == [
        ("shop.orders", 1, 17),
        ("shop.orders.total", 5, 11),
        ("shop.orders.total.inner_one", 6, 6),
        ("shop.orders.later", 13, 13),
        ("shop.orders.foreign", 14, 14),
    ]
    package, total = extract_code("sql", text)[1:3]
    assert "later(1)" in package.body
    assert "RETURN 1" not in package.body
    assert total.doc == "Sums."
    assert total.signature == "FUNCTION total(a NUMBER DEFAULT f(1, 2), b VARCHAR2 := ';') RETURN NUMBER"


def test_type_without_routines_is_a_class_alone():
    assert found("CREATE TYPE mood AS ENUM ('begin', 'end');\n") == [("mood", 1, 1)]


def test_rows_of_data_are_left_out_of_the_card():
    rows = "".join(f"INSERT INTO a VALUES ({i}, 'x');\n" for i in range(5000))
    long = "INSERT INTO b VALUES " + ", ".join(f"({i}, 'ö')" for i in range(50_000)) + ";\n"
    text = f"CREATE TABLE a (b int);\n{rows}{long}CREATE TABLE c (d int);\n"
    assert [name for name, _, _ in found(text)] == ["a", "c"]
    assert len(card(text).body) < 1000
    assert "INSERT INTO a VALUES (0, 'x')" in card(text).body
    assert "INSERT INTO b VALUES" in card(text).body


def test_signature_of_a_routine_ends_at_its_body():
    text = "CREATE FUNCTION f(a int, -- why\n  b text)\nRETURNS int AS $$ BEGIN x; END $$ LANGUAGE plpgsql;"
    assert only(text).signature == "CREATE FUNCTION f(a int, b text) RETURNS int"


@pytest.mark.parametrize(
    "text",
    [
        "/* " * 50_000,
        "'" * 50_001,
        " ".join(f"$a{i}$" for i in range(50_000)),
        "COPY t FROM stdin;\n" * 20_000,
        "CREATE PROCEDURE p()\nBEGIN\n" + "CASE\n" * 40_000,
        "CREATE TABLE t (\n" * 10_000,
        "WITH a AS (" * 20_000,
        "SELECT 1 FROM a " * 20_000,
        "ALTER TABLE t ADD x int;\n" * 20_000,
        "CREATE PACKAGE BODY p IS\n" + "FUNCTION f\n" * 20_000,
        "CREATE PACKAGE BODY p IS\n" + "FUNCTION f IS\n" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_scripts_take_time_and_memory_by_their_size(text):
    started = time.process_time()
    drafts = extract_code("sql", text)
    assert time.process_time() - started < 5  # the square would take minutes
    assert sum(len(draft.body) for draft in drafts) < 10 * len(text)


PIECES = st.sampled_from(
    ["SELECT 'a;b'", "CREATE TABLE t (a int)", "-- c;\nUPDATE t SET a = 1", "DO $$ x; $$"]
)


@settings(max_examples=50, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=20))
def test_every_statement_of_a_generated_script_is_found(pieces):
    text = ";\n".join(pieces)
    assert statements(text) == [piece.removeprefix("-- c;\n") for piece in pieces]
