"""The estimate of model tokens: conservative, and sane as a measure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.tokens import estimate_tokens

# Counted once by o200k_base, cl100k_base and Anthropic's tokenizer from before Claude 3: see docs/tokens.md.
COUNTED = [
    (
        "Fix the SSE streaming timeout: the reader hangs when the server closes the connection early.",
        17,
        17,
        17,
    ),
    (
        "def estimate_tokens(text: str) -> int:\n"
        "    return sum(len(run) // 6 + 1 for run in RUN.findall(text))\n",
        29,
        29,
        34,
    ),
    (
        "func (c *Context) Next() {\n\tc.index++\n\tfor c.index < int8(len(c.handlers)) {\n"
        "\t\tc.handlers[c.index](c)\n\t\tc.index++\n\t}\n}\n",
        38,
        38,
        56,
    ),
    ("public static <T> TypeToken<T> get(Class<T> type) { return new TypeToken<>(type); }", 24, 24, 28),
    ("export const createCaller = <TContext>(ctx: TContext) => router.createCaller({ ctx });", 21, 21, 22),
    ("- `EventStream.close`: Close the stream and wake its readers. `src/app/stream.py:12-40`", 25, 24, 28),
    ("packages/server/src/adapters/node-http/incomingMessageToRequest.ts", 13, 13, 18),
    ("数据库连接在超时后没有关闭，导致连接池耗尽。", 15, 20, 18),
    ("データベース接続がタイムアウト後に閉じられません。", 18, 27, 25),
    ("시간이 초과된 후 데이터베이스 연결이 닫히지 않습니다.", 17, 24, 29),
    ("Соединение с базой данных не закрывается после истечения времени ожидания.", 17, 27, 31),
    ("Η σύνδεση με τη βάση δεδομένων δεν κλείνει.", 14, 38, 47),
    ("لا يتم إغلاق الاتصال بقاعدة البيانات بعد انتهاء المهلة.", 14, 36, 46),
]


@pytest.mark.parametrize(("text", "o200k", "cl100k", "claude"), COUNTED)
def test_no_tokenizer_counts_more(text, o200k, cl100k, claude):
    assert max(o200k, cl100k, claude) <= estimate_tokens(text) <= 2 * max(o200k, cl100k, claude)


def test_nothing_costs_nothing():
    assert estimate_tokens("") == 0


@given(st.text(), st.text())
def test_text_costs_no_more_than_its_pieces_and_no_less_than_each(one, other):
    together = estimate_tokens(one + other)
    assert max(estimate_tokens(one), estimate_tokens(other)) <= together
    assert together <= estimate_tokens(one) + estimate_tokens(other)


@given(st.text())
def test_every_visible_character_is_paid_for(text):
    visible = sum(not char.isspace() for char in text)
    assert estimate_tokens(text) * 6 >= visible
