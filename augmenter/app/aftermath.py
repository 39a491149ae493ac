"""What an event after a dispatch does: it completes the receipt with what the host can prove, or forgets.

The proof comes from the agent's transcript: the very context block in its context, the offered files that it
opened since, and what its final answer names. How a dispatch ended is recorded only where the host says so:
an agent that stops has not succeeded.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from augmenter.app.augmenter import Augmenter
from augmenter.app.completion import known_words
from augmenter.hosts.events import Finished, Forgotten, Host
from augmenter.hosts.transcripts import STEPS, Account, Opened, account, call_in
from knowledge.errors import OutcomeConflict
from knowledge.hashing import text_hash
from knowledge.sessions import Sessions
from knowledge.types import Kind
from learning.use import GENERIC_NAMES, SHORTEST_NAME
from receipts.linking import record_deliveries
from receipts.outcomes import record_outcome
from receipts.records import Delivery, OfferedRecord, Outcome, ProvenRung, Receipt

# Of a transcript, its beginning, where a sub-agent's prompt is, and its end, where the last turn is. Reading
# this much takes about a tenth of a second; a long session has tens of megabytes.
FIRST_BYTES = 256 * 1024
LAST_BYTES = 8 * 1024 * 1024

_SEPARATOR = re.compile(r"\.|::|->|#|/")


def forget(host: Host, event: Forgotten, augmenter: Augmenter) -> None:
    """Let what was given in a session count as unseen."""
    if event.session:
        augmenter.sessions.forget(host.key(event.session, ""))


def finish(host: Host, event: Finished, augmenter: Augmenter) -> None:
    """Complete the receipt of the dispatch that an event belongs to, if it belongs to one.

    Raises:
        PrebriefError: the receipt cannot be found, or the ledger cannot be written.
    """
    dispatch_id = event.dispatch_id or _dispatch_of(host, event, augmenter.sessions)
    if not dispatch_id:
        return
    if event.alias:
        augmenter.sessions.link(host.key(event.session, event.alias), dispatch_id)
    if event.is_over:
        _complete(host, event, augmenter, dispatch_id)


def _dispatch_of(host: Host, event: Finished, sessions: Sessions) -> str:
    """The dispatch that an event belongs to; ``""`` for none that is known."""
    if not event.key:
        return ""
    if found := sessions.dispatch_of(host.key(event.session, event.key)):
        return found
    if not event.transcript:
        return ""
    # A sub-agent that stops before the call that started it has come back: a note beside its transcript tells
    # which call that was.
    call = call_in(read_ends(event.transcript.removesuffix(".jsonl") + ".meta.json"))
    return sessions.dispatch_of(host.key(event.session, call)) if call else ""


def _complete(host: Host, event: Finished, augmenter: Augmenter, dispatch_id: str) -> None:
    ledger = augmenter.ledger()
    receipt = ledger.find(dispatch_id).receipt
    done = _account_of(host, event, receipt)
    root = augmenter.project.view_root
    proofs = tuple(_proofs(host, event, receipt, done, root))
    if proofs:
        record_deliveries(ledger, dispatch_id, proofs)
    if status := event.status or done.ended:
        outcome = Outcome(dispatch_id=dispatch_id, status=status, error=event.error, source=host.name)
        try:
            record_outcome(ledger, outcome)
        except OutcomeConflict:
            return  # somebody who knows better, or the same host earlier, has said how it ended


def _account_of(host: Host, event: Finished, receipt: Receipt) -> Account:
    if host.name not in STEPS or not receipt.context_hash:
        return Account()
    if event.given:
        return Account(block=_finder(receipt)(event.given))
    data = read_ends(event.transcript)
    return account(data, STEPS[host.name], _finder(receipt)) if data else Account()


def _finder(receipt: Receipt) -> Callable[[str], str]:
    """Finds the block of a receipt in a text: the text itself, or what stands above the task in it."""

    def find(text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        above = data[: -receipt.task_bytes].decode("utf-8", "replace") if receipt.task_bytes else ""
        tried = (form for part in (text, above) if part for form in (part, f"{part.strip()}\n"))
        return next((form for form in tried if text_hash(form) == receipt.context_hash), "")

    return find


def read_ends(path: str) -> bytes:
    """A file, or where it is long its two ends; ``b""`` when it cannot be read or is no file."""
    try:
        handle = os.open(os.path.expanduser(path), os.O_RDONLY | os.O_NONBLOCK)  # noqa: PTH111 - which never raises
    except (OSError, ValueError):
        return b""
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return b""
        if found.st_size <= FIRST_BYTES + LAST_BYTES:
            return os.pread(handle, found.st_size, 0)
        first = os.pread(handle, FIRST_BYTES, 0)
        return first + b"\n" + os.pread(handle, LAST_BYTES, found.st_size - LAST_BYTES)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _proofs(host: Host, event: Finished, receipt: Receipt, done: Account, root: Path) -> Iterator[Delivery]:
    def proof(rung: ProvenRung, items: Sequence[OfferedRecord] = ()) -> Delivery:
        hashes = tuple(item.pattern_hash for item in items)
        return Delivery(dispatch_id=receipt.dispatch_id, rung=rung, source=host.name, items=hashes)

    if done.block:
        yield proof("delivered")
    if opened := [
        item for item in receipt.items if any(_shows(one, item, event.cwd, root) for one in done.opened)
    ]:
        yield proof("opened", opened)
    # Of what never came into its context, an agent can name nothing; a host without transcripts is believed.
    if done.block or host.name not in STEPS:
        named = _Named(event.last_message or done.said, done.block, known_words(receipt))
        if cited := [item for item in receipt.items if named.names(item)]:
            yield proof("cited", cited)


def _shows(opened: Opened, item: OfferedRecord, cwd: str, root: Path) -> bool:
    """Whether an item's lines were among those that were opened."""
    reading = opened.reading
    if reading.last < item.start or item.end < reading.first:
        return False
    folder = opened.folder or cwd or str(root)
    path = os.path.normpath(os.path.join(folder, reading.path))  # noqa: PTH118 - told, not to be looked at
    return any(path == os.path.join(base, item.path) for base in (str(root), folder))  # noqa: PTH118 - likewise


class _Named:
    """What an answer names, without what it repeats of the block and what the task had named before."""

    def __init__(self, text: str, block: str, known: str) -> None:
        repeated = {line.strip() for line in block.splitlines()}
        lines = (line for line in text.splitlines() if line.strip().lstrip("> ") not in repeated)
        self._text = "\n".join(lines)
        self._known = known

    def names(self, item: OfferedRecord) -> bool:
        """Whether an item is named, by its path or its qualified name."""
        return any(self._has(name) for name in _names(item))

    def _has(self, name: str) -> bool:
        if name not in self._text or name in self._known:
            return False
        return re.search(rf"(?<![\w./$-]){re.escape(name)}(?![\w/$-])", self._text) is not None


def _names(item: OfferedRecord) -> Iterator[str]:
    yield item.path
    if item.kind not in (Kind.UNIT, Kind.CLASS):
        return
    is_qualified = _SEPARATOR.search(item.name) is not None
    if is_qualified or (len(item.name) >= SHORTEST_NAME and item.name not in GENERIC_NAMES):
        yield item.name
