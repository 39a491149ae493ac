"""Functions as tracebacks name them, in the one spelling of the catalog: parts joined by dots.

What compilers and runtimes put into names is taken off: closures, numbers of anonymous functions, generics,
state machines of coroutines, parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_ANGLES = re.compile(r"<[^<>]*>")
_MAX_NESTING = 8  # of type arguments; deeper ones stay, and the name then finds nothing
_SCRIPT_OWNERS = frozenset({"Object", "Module", "Function", "Proxy", "exports", "module"})


def python(name: str) -> str:
    """``Pool.get.<locals>.wait`` → Pool.get.wait; ``<module>`` → nothing."""
    return ".".join(part for part in name.split(".") if part and "<" not in part)


def script(name: str) -> str:
    """``Object.<anonymous>`` → nothing; ``Car.get doors`` → Car.doors; ``Car.#open`` → Car.open."""
    parts = [part.rpartition(" ")[2].lstrip("#") for part in name.rstrip("/<").split(".")]
    kept = [part for part in parts if part and not set("<>/*") & set(part)]
    return ".".join(kept[1:] if kept and kept[0] in _SCRIPT_OWNERS else kept)


_JVM_NOISE = frozenset({"lambda", "anonfun", "access", "default", "suspendImpl", "new", "static"})
_JVM_CALLS = frozenset({"invoke", "invokeSuspend", "apply", "applyOrElse", "emit"})  # of a lambda's class


def jvm(name: str) -> str:
    """``acme.Car$Door.lambda$open$0`` → acme.Car.Door.open; ``acme.Car$open$1.invoke`` → acme.Car.open."""
    owner, _, method = name.rstrip().rpartition(".")
    owners = owner.replace(".<init>", "").split("$")
    called = method in _JVM_CALLS and len(owners) > 2 and owners[-1].isdigit()
    kept = [part for part in owners if part and not part.isdigit() and part not in _JVM_NOISE]
    own = [] if called or method.startswith("<") else _jvm_method(method)
    return ".".join((*kept, *own))


def _jvm_method(method: str) -> list[str]:
    parts = (part for part in method.split("$") if part and not part.isdigit() and part not in _JVM_NOISE)
    return [part.partition("-")[0] for part in parts][:1]


_NET_WRAPPED = re.compile(r"<+(?P<inner>\w[\w.]*)>.*")
_NET_CLOSURE = re.compile(r"<>c\w*")
_NET_ARITY = re.compile(r"[`']\d+|\[[^\[\]]*\]")


def net(name: str) -> str:
    """``Acme.Car.<OpenAsync>d__5.MoveNext`` → Acme.Car.OpenAsync; ``Acme.Box`1.get_Lid`` → Acme.Box.Lid."""
    inside = _NET_WRAPPED.search(name)
    text = name[: inside.start()] + inside["inner"] if inside else name
    plain = _NET_ARITY.sub("", _NET_CLOSURE.sub("", text)).strip().replace("+", ".").replace(":", ".")
    parts = [part for part in plain.split(".") if part and part not in ("ctor", "cctor")]
    return ".".join((*parts[:-1], re.sub("^[gs]et_", "", parts[-1]))) if parts else ""


_RUST_HASH = re.compile(r"::h[0-9a-f]{16}$")
_RUST_PART = re.compile(r"\{\{?[^{}]*\}?\}|\b(?:closure|closure_env|impl)\$\d+")  # on Windows: closure$0
_RUST_SELF = re.compile(
    r"(?:^|(?<=::))<(?:impl )?(?:[^<>]* for )?&?(?:mut )?(?P<type>[\w:]+)(?:<[^<>]*>)?(?: as [^>]*>?)?>(?=::)"
)


def rust(name: str) -> str:
    """``<app::Car as Drop>::drop::h0123456789abcdef`` → app.Car.drop; ``main`` of a thread → nothing."""
    text = _RUST_PART.sub("", _RUST_HASH.sub("", name.strip()))
    text = without_angles(_RUST_SELF.sub(r"\g<type>", text))
    return ".".join(part for part in text.split("::") if part)


_GO_CLOSURE = re.compile(r"(?:\.func\d+|\.gowrap\d+|\.\d+|-fm|-range\d+)+$")


def go(name: str) -> str:
    """``web.(*Context).Next`` → web.Context.Next; ``main.main.func1.2`` → main.main."""
    return _GO_CLOSURE.sub("", re.sub(r"\[\.\.\.\]|[(*)]", "", name)).strip(".")


_RUBY_AROUND = re.compile(r"(?:(?:block|rescue|ensure)(?: \([^)]*\))? in )+")
_RUBY_OPENED = re.compile(r"<(?:class|module):([\w:]+)>")


def ruby(name: str) -> str:
    """``block (2 levels) in Acme::Car#open`` → Acme.Car.open; ``<main>`` → nothing."""
    text = _RUBY_OPENED.sub(r"\1", _RUBY_AROUND.sub("", name))
    if text.startswith("<") or not re.search(r"\w[!?=]?$", text):  # of an operator, which is written in C
        return ""
    return text.replace("::", ".").replace("#", ".")


_PHP_CLOSURE = re.compile(r"\{closure:(?P<inner>[^{}]*?)(?:\(\))?:\d+\}")


def php(name: str) -> str:
    r"""``Acme\Car->open`` → Acme.Car.open; ``Acme\Car->Acme\{closure}`` → Acme.Car; ``{main}`` → nothing."""
    text = _PHP_CLOSURE.sub(r"\g<inner>", name)
    owner, joint, method = text.rpartition("->")
    kept = owner if "{" in method else f"{owner}{joint}{method}"
    plain = re.sub(r"->|::|\\", ".", re.sub(r"\{[^{}]*\}", "", kept))
    return re.sub(r"\.{2,}", ".", plain).strip(". ")


_C_ANONYMOUS = re.compile(r"\(anonymous namespace\)::|\(anonymous class\)::")
_OBJC = re.compile(r"[-+]\[(?P<owner>\w+)(?:\(\w*\))? (?P<name>\w+)")


def native(name: str) -> str:
    """``acme::Car<int>::open(int) const`` → acme.Car.open; ``closure #1 in Car.open(_:)`` → Car.open."""
    objc = _OBJC.search(name)
    if objc:
        return f"{objc['owner']}.{objc['name']}"
    text = _C_ANONYMOUS.sub("", name).rpartition(" closure #")[2].rpartition("#1 in ")[2]
    text = without_angles(text).partition("(")[0].strip()
    return ".".join(part for part in re.split(r"::|\.", text.rpartition(" ")[2]) if part)


def without_angles(text: str) -> str:
    """A text without type arguments, nested ones included."""
    for _ in range(_MAX_NESTING):
        shorter = _ANGLES.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text


READERS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("py", "ipython", "pdb", "pytest"), python),
    **dict.fromkeys(("js", "bare", "vitest", "gecko"), script),
    **dict.fromkeys(("java", "jvm"), jvm),
    **dict.fromkeys(("net", "unity"), net),
    "rust": rust,
    "go": go,
    "ruby": ruby,
    **dict.fromkeys(("php", "phpin"), php),
    **dict.fromkeys(("gdb", "san", "grind", "assert", "linux", "apple"), native),
}
