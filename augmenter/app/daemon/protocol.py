r"""What client and daemon say to each other on the socket: one request and one answer for each connection.

A request is a line of ASCII, and three pieces of raw bytes whose lengths the line tells::

    prebrief 1 0.1.0 hook claude-code 850 0 9 120\n  ROOT HERE EVENT

that is protocol, version, verb, host (``-`` for none), milliseconds left, and the lengths of the root that
was asked for, of the client's working directory, and of the event. An answer likewise::

    prebrief 1 0.1.0 answer 0 310\n  STDOUT

with exit code and length. Before it the daemon may send ``meanwhile`` in the same form: what the hook is to
print if nothing else comes in time. The first three words stay as they are in every protocol, so that any two
versions understand that they are not the same.
"""

from __future__ import annotations

from knowledge.version import VERSION

PROTOCOL = 1
MAGIC = b"prebrief"
HEADER_BYTES = 256  # a longer first line is none of ours
MOST_PATH = 16 * 1024  # bytes of a folder's name; Linux takes 4096
MOST_EVENT = 64 * 1024 * 1024  # bytes; a larger one is left to the client
MOST_ANSWER = 6 * MOST_EVENT  # an event's text with every character escaped
# Bytes of an event that the daemon's event loop itself looks into, in a millisecond; a larger one gets no
# `meanwhile`.
MOST_READ_HERE = 256 * 1024
MOST_MILLISECONDS = 60_000  # as `dispatch.deadline_ms` can be

HOOK, STATUS, STOP = "hook", "status", "stop"
VERBS = (HOOK, STATUS, STOP)
NO_HOST = "-"

ANSWER = "answer"  # what the hook is to print
MEANWHILE = "meanwhile"  # what it is to print unless an answer comes in time
BUSY = "busy"  # there are too many requests, or the daemon is about to leave
UNABLE = "unable"  # the daemon could not do it, and another process may: see docs/daemon.md
REFUSED = "refused"  # no request that can be understood, or of somebody who is not served
OTHER = "other"  # of another version
WORDS = (ANSWER, MEANWHILE, BUSY, UNABLE, REFUSED, OTHER)


class FrameError(Exception):
    """Bytes that are no frame of this protocol."""


class Request:
    """The first line of a request.

    Attributes:
        protocol: its number.
        version: of the client.
        verb: one of `VERBS`.
        host: a host's name; ``-`` for none.
        milliseconds: how long the client will wait.
        lengths: bytes of root, working directory and event.
    """

    __slots__ = ("host", "lengths", "milliseconds", "protocol", "verb", "version")

    def __init__(
        self,
        verb: str,
        host: str = NO_HOST,
        milliseconds: int = 1000,
        lengths: tuple[int, int, int] = (0, 0, 0),
        version: str = VERSION,
        protocol: int = PROTOCOL,
    ) -> None:
        self.protocol = protocol
        self.version = version
        self.verb = verb
        self.host = host
        self.milliseconds = milliseconds
        self.lengths = lengths

    def line(self) -> bytes:
        """As bytes, with the end of the line."""
        words = (self.protocol, self.version, self.verb, self.host, self.milliseconds, *self.lengths)
        return b"%b %b\n" % (MAGIC, " ".join(map(str, words)).encode("ascii"))

    @property
    def is_same(self) -> bool:
        """Whether client and daemon are of one version."""
        return self.protocol == PROTOCOL and self.version == VERSION


def parse_request(line: bytes) -> Request:
    """The request that a line is, without its end.

    Of another protocol only that number and the version are known.

    Raises:
        FrameError: it is none.
    """
    protocol, version, words = _parse(line)
    if protocol != PROTOCOL:
        return Request("", version=version, protocol=protocol)
    if len(words) != 6 or words[0] not in VERBS:
        raise FrameError("this is no request")
    milliseconds, root, here, event = map(_number, words[2:])
    if max(root, here) > MOST_PATH or event > MOST_EVENT or not 0 < milliseconds <= MOST_MILLISECONDS:
        raise FrameError("a number is out of bounds")
    return Request(words[0], words[1], milliseconds, (root, here, event), version)


def answer_line(word: str, exit_code: int = 0, length: int = 0, version: str = VERSION) -> bytes:
    """The first line of an answer."""
    return b"%b %d %b %b %d %d\n" % (
        MAGIC,
        PROTOCOL,
        version.encode("ascii"),
        word.encode("ascii"),
        exit_code,
        length,
    )


def parse_answer(line: bytes) -> tuple[str, int, int]:
    """What an answer's first line, without its end, says: its word, the exit code, and its length.

    Raises:
        FrameError: it is no answer.
    """
    protocol, _, words = _parse(line)
    if protocol != PROTOCOL:
        return OTHER, 0, 0
    if len(words) != 3 or words[0] not in WORDS:
        raise FrameError("this is no answer")
    exit_code, length = map(_number, words[1:])
    if exit_code > 255 or length > MOST_ANSWER:
        raise FrameError("a number is out of bounds")
    return words[0], exit_code, length


def is_older(version: str, than: str) -> bool:
    """Whether a version comes before another, by the numbers in it."""
    return _numbers_of(version) < _numbers_of(than)


def _parse(line: bytes) -> tuple[int, str, list[str]]:
    """Protocol, version and the other words. Raises FrameError."""
    try:
        magic, protocol, version, *words = line.decode("ascii").split(" ")
    except ValueError:
        raise FrameError("this is not Prebrief's protocol") from None
    if magic.encode() != MAGIC or not version:
        raise FrameError("this is not Prebrief's protocol")
    return _number(protocol), version, words


def _number(word: str) -> int:
    if not (word.isdigit() and word.isascii() and len(word) <= 10):
        raise FrameError("a number is missing")
    return int(word)


def _numbers_of(version: str) -> list[int]:
    """The leading digits of each part: ``1.10.0rc1`` gives 1, 10, 0."""
    parts = []
    for part in version.split("."):
        digits = 0
        while digits < len(part) and part[digits].isdigit() and part[digits].isascii():
            digits += 1
        parts.append(int(part[:digits] or 0))
    return parts
