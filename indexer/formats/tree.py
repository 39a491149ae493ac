"""A tree of keys and the lines they stand at: what sections of JSON and YAML are made from."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_DEPTH = 9  # an operation's parameter's name in OpenAPI lies at 6; what is deeper is read over
MAX_NODES = 60_000  # of one file; beyond, only the two uppermost levels are kept
SHALLOW = 3  # depth that is kept even then: a document, its keys
MAX_TEXT = 4_000  # characters of a scalar that are kept


@dataclass(slots=True)
class Node:
    """A value.

    Attributes:
        line: index of the line it begins at.
        text: of a scalar; of an alias ``*name``.
        entries: of a mapping its keys, of a sequence its items, in the file's order; keys can repeat.
        is_list: whether it is a sequence.
    """

    line: int
    text: str = ""
    entries: list[Entry] = field(default_factory=list)
    is_list: bool = False

    def get(self, *path: str) -> Node | None:
        """The value at a path of keys; the first where keys repeat."""
        node: Node | None = self
        for key in path:
            node = next((entry.node for entry in node.entries if entry.key == key), None) if node else None
        return node

    def text_at(self, *path: str) -> str:
        """The scalar at a path of keys, white space folded; ``""`` if there is none."""
        node = self.get(*path)
        return " ".join(node.text.split()) if node else ""

    def entries_at(self, *path: str) -> list[Entry]:
        """The entries of the value at a path of keys."""
        node = self.get(*path)
        return node.entries if node else []


@dataclass(slots=True)
class Entry:
    """A key and its value; an item of a sequence has its number for a key.

    Attributes:
        key: as text.
        line: index of the line it stands at.
        node: the value.
    """

    key: str
    line: int
    node: Node


class TreeBuilder:
    """Takes what a parser meets, in order, and tolerates what does not fit: text may be broken anywhere."""

    def __init__(
        self, max_nodes: int = MAX_NODES, max_text: int = MAX_TEXT, without: frozenset[str] = frozenset()
    ) -> None:
        self.root = Node(0, is_list=True)  # of documents
        self._max_nodes = max_nodes
        self._max_text = max_text
        self._without = without  # keys whose mappings and sequences are not kept
        self._open = [self.root]
        self._keys: list[tuple[str, int] | None] = [None]
        self._skipped = 0
        self._nodes = 0

    @property
    def in_map(self) -> bool:
        """Whether the innermost open value is a mapping."""
        return not self._skipped and len(self._open) > 1 and not self._open[-1].is_list

    @property
    def is_skipping(self) -> bool:
        """Whether nothing is kept until the skipped mapping or sequence ends."""
        return self._skipped > 0

    @property
    def is_full(self) -> bool:
        """Whether only the uppermost levels are kept from here on."""
        return self._nodes >= self._max_nodes

    def key(self, text: str, line: int) -> None:
        """The key of the next value; one that waits for its own has none."""
        if self._skipped:
            return
        if waiting := self._keys[-1]:
            self._add(Node(waiting[1]))
        self._keys[-1] = (text, line)

    def scalar(self, text: str, line: int) -> None:
        """A value without entries."""
        if not self._skipped:
            self._add(Node(line, text[: self._max_text]))

    def open(self, line: int, *, is_list: bool) -> None:
        """A mapping or sequence begins."""
        if self._skipped:
            self._skipped += 1
            return
        waiting = self._keys[-1]
        node = Node(line, is_list=is_list)
        self._add(node)
        deepest = SHALLOW if self.is_full else MAX_DEPTH
        if len(self._open) >= deepest or (waiting and waiting[0] in self._without):
            self._skipped = 1
            return
        self._open.append(node)
        self._keys.append(None)

    def close(self) -> None:
        """The innermost mapping or sequence ends."""
        if self._skipped:
            self._skipped -= 1
        elif len(self._open) > 1:
            self._open.pop()
            self._keys.pop()

    def _add(self, node: Node) -> None:
        self._nodes += 1
        parent = self._open[-1]
        if self.is_full and len(self._open) > SHALLOW:
            return
        if parent.is_list:
            key, line = str(len(parent.entries)), node.line
        else:
            key, line = self._keys[-1] or ("", node.line)
            self._keys[-1] = None
        parent.entries.append(Entry(key, line, node))
