"""The model's service: three forms of question, each answered in its own, and remembered."""

import gzip
import http.client
import json
import socket
from urllib.parse import urlsplit

import pytest

from evals.clients.endpoint import serving
from evals.clients.turns import Call, Fail, Say, Scene, Script

WORDS = "Fix the timeout"
CALL = Call("Read", {"file_path": "a.py"})
MESSAGES = "/v1/messages"
RESPONSES = "/v1/responses"
CONTENTS = "/v1beta/models/any:streamGenerateContent"
CONTENT = "/v1beta/models/any:generateContent"
TEXT = {"type": "text", "text": WORDS}


def messages(*content, role="user", **more):
    return {"messages": [{"role": role, "content": list(content)}], "tools": [{"name": "Read"}], **more}


def responses(text):
    content = [{"type": "input_text", "text": text}]
    item = {"type": "message", "role": "user", "content": content}
    return {"instructions": "You are an agent", "input": [item], "tools": [{"type": "function"}]}


def contents(text):
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], "tools": [{}]}


BODIES = {
    MESSAGES: messages(TEXT),
    RESPONSES: responses(WORDS),
    CONTENTS: contents(WORDS),
    CONTENT: contents(WORDS),
}


@pytest.fixture
def ask():
    """Serves a scene and asks it: the endpoint, and what posts to it."""
    with serving(Script((Scene(WORDS, (CALL, Say("Done"), Fail(529, "overloaded_error"))),))) as endpoint:

        def post(path, body, **headers):
            connection = http.client.HTTPConnection(urlsplit(endpoint.address).netloc, timeout=30)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request("POST", path, data, headers)
            reply = connection.getresponse()
            return reply.status, reply.getheader("content-type"), reply.read().decode()

        post.endpoint = endpoint
        yield post


def events(text):
    lines = (line for line in text.splitlines() if line.startswith("data: "))
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def test_the_messages_api_streams_blocks(ask):
    (status, kind, called), (_, _, said) = (ask(MESSAGES, BODIES[MESSAGES]) for _ in range(2))
    assert (status, kind) == (200, "text/event-stream")
    start, delta = events(called)[1:3]
    assert (start["content_block"]["type"], start["content_block"]["name"]) == ("tool_use", "Read")
    assert json.loads(delta["delta"]["partial_json"]) == CALL.arguments
    assert [event["type"] for event in events(said)] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert events(said)[2]["delta"]["text"] == "Done"
    assert [events(text)[-2]["delta"]["stop_reason"] for text in (called, said)] == ["tool_use", "end_turn"]


def test_the_responses_api_streams_items(ask):
    called, said = (events(ask(RESPONSES, BODIES[RESPONSES])[2])[1]["item"] for _ in range(2))
    assert (called["type"], called["name"]) == ("function_call", "Read")
    assert json.loads(called["arguments"]) == CALL.arguments
    assert said["content"] == [{"type": "output_text", "text": "Done"}]


def test_a_tool_in_a_namespace_is_called_there():
    call = Call("agents.v1.spawn", {})
    with serving(Script((Scene(WORDS, (call,)),))) as endpoint:
        connection = http.client.HTTPConnection(urlsplit(endpoint.address).netloc, timeout=30)
        connection.request("POST", RESPONSES, json.dumps(BODIES[RESPONSES]).encode())
        item = events(connection.getresponse().read().decode())[1]["item"]
    assert (item["namespace"], item["name"]) == ("agents.v1", "spawn")


@pytest.mark.parametrize("path", [CONTENTS, CONTENT])
def test_the_gemini_api_answers_with_candidates(ask, path):
    answers = []
    for _ in range(2):
        text = ask(path, BODIES[path])[2]
        (answer,) = events(text) if path == CONTENTS else [json.loads(text)]
        answers.append(answer["candidates"][0]["content"]["parts"][0])
    assert answers[0]["functionCall"]["name"] == "Read"
    assert answers[0]["functionCall"]["args"] == CALL.arguments
    assert answers[1] == {"text": "Done"}


@pytest.mark.parametrize("path", list(BODIES))
def test_a_failure_has_its_status_in_every_form(ask, path):
    answers = [ask(path, BODIES[path]) for _ in range(3)]
    assert [status for status, _, _ in answers] == [200, 200, 529]
    assert json.loads(answers[-1][2])["error"]["type"] == "overloaded_error"


@pytest.mark.parametrize("path", list(BODIES))
def test_every_question_is_remembered_with_what_was_said(ask, path):
    ask(f"{path}?beta=true", BODIES[path])
    (question,) = ask.endpoint.questions
    assert (question.path, question.body, question.said) == (path, BODIES[path], (WORDS,))
    assert (question.is_agent, question.turn) == (True, CALL)


def test_what_the_host_adds_is_said_and_what_tools_and_the_agent_say_is_not(ask):
    said = [
        {"role": "user", "content": WORDS},
        {"role": "system", "content": "hook context"},
        {"role": "assistant", "content": [{"type": "text", "text": "No"}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "content": "No"}, {"type": "text", "text": "Yes"}],
        },
    ]
    ask(MESSAGES, messages(messages=said))
    assert ask.endpoint.questions[0].said == (WORDS, "hook context", "Yes")


def test_questions_without_tools_take_no_turn(ask):
    status, _, said = ask(MESSAGES, {"messages": [{"role": "user", "content": WORDS}]})
    assert (status, events(said)[2]["delta"]["text"]) == (200, "ok")
    assert ask.endpoint.questions[0].is_agent is False
    assert ask(MESSAGES, BODIES[MESSAGES])[2].count("tool_use")


def test_compressed_questions_are_read(ask):
    data = gzip.compress(json.dumps(BODIES[MESSAGES]).encode())
    assert ask(MESSAGES, data, **{"content-encoding": "gzip"})[0] == 200
    assert ask.endpoint.questions[0].said == (WORDS,)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe"])
def test_what_is_no_question_is_not_found(ask, body):
    assert ask(MESSAGES, body)[0] == 404
    assert ask(MESSAGES, b"no gzip", **{"content-encoding": "gzip"})[0] == 404
    assert ask.endpoint.questions == []


@pytest.mark.parametrize("path", ["/", "/v1/messages/count_tokens", "/v1/models", "/v1/complete"])
def test_other_addresses_are_not_found(ask, path):
    assert ask(path, BODIES[MESSAGES])[0] == 404


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 404)])
def test_whether_anybody_is_there_can_be_asked(ask, method, status):
    connection = http.client.HTTPConnection(urlsplit(ask.endpoint.address).netloc, timeout=30)
    connection.request(method, "/v1/models")
    assert connection.getresponse().status == status


@pytest.mark.parametrize(
    "data", [b"", b"nonsense\r\n\r\n", b"POST /v1/messages HTTP/1.1\r\ncontent-length: x\r\n\r\n"]
)
def test_a_client_that_speaks_no_http_disturbs_nobody(ask, data, capfd):
    host, _, port = urlsplit(ask.endpoint.address).netloc.partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(data)
    assert ask(MESSAGES, BODIES[MESSAGES])[0] == 200
    assert capfd.readouterr().err == ""


def test_the_port_is_free_again_afterwards():
    with serving(Script(())) as endpoint:
        host, _, port = urlsplit(endpoint.address).netloc.partition(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=5)
