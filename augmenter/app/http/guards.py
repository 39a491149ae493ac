"""Who may ask: checked before anything of a request is looked at.

Nothing here trusts that a page in the user's browser cannot send requests to loopback: it can, and by DNS
rebinding with a name of its own that leads here. It has no token, its name is not ours, and it says where it
comes from.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from augmenter.app.http.replies import Refusal

MOST_HEAD = 16 * 1024  # bytes of all headers: a token and a few words, ten times over
HTTP_PORT = 80  # which a Host need not name
_LOCAL_NAME = "localhost"
_SCHEME = "bearer"

RawHeaders = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask.

    Attributes:
        token: what callers show.
        port: at which we listen.
        origins: of pages that may ask.
        is_remote: whether other machines may connect; then any address may be how we are called, but no name,
            for that might be anybody's.
    """

    token: str
    port: int
    origins: Collection[str] = ()
    is_remote: bool = False

    def check_caller(self, headers: RawHeaders) -> None:
        """Let nobody in who was sent here by somebody else. Raises Refusal."""
        known = list(headers)
        if sum(len(name) + len(value) for name, value in known) > MOST_HEAD:
            raise Refusal(
                431, "too-large", f"the headers have more than {MOST_HEAD} bytes", remedy="Send fewer"
            )
        hosts = values(known, b"host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            raise Refusal(
                403,
                "foreign-host",
                "this server does not have the name that it was called by",
                where=hosts[0][:200] if hosts else "Host",
                remedy=f"Ask http://127.0.0.1:{self.port}",
            )
        for origin in values(known, b"origin"):
            if origin not in self.origins:
                raise Refusal(
                    403,
                    "foreign-origin",
                    "pages of this origin may not ask",
                    where=origin[:200],
                    remedy="Start 'prebrief serve' with --allow-origin, if it is one of yours",
                )

    def check_token(self, headers: RawHeaders) -> None:
        """Let only those in who have the token. Raises Refusal."""
        shown = values(headers, b"authorization")
        scheme, _, token = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        is_right = hmac.compare_digest(token.strip(" ").encode("latin-1"), self.token.encode("ascii"))
        if scheme.lower() != _SCHEME or not is_right:
            raise Refusal(
                401,
                "no-token",
                "the token is missing, or another one",
                where="Authorization",
                remedy="Send 'Authorization: Bearer' and what is in the file that"
                " 'prebrief serve --http-token' names",
                headers=(("www-authenticate", 'Bearer realm="prebrief"'),),
            )

    def _is_ours(self, host: str) -> bool:
        """Whether a Host is one of those that lead here by themselves."""
        name, separator, port = host.rpartition(":")
        if not separator or host.endswith("]"):
            name, port = host, str(HTTP_PORT)
        if port != str(self.port):
            return False
        if name.lower() == _LOCAL_NAME:
            return True
        is_bracketed = name.startswith("[") and name.endswith("]")
        try:
            address = ipaddress.ip_address(name[1:-1] if is_bracketed else name)
        except ValueError:
            return False
        return (address.version == 6) == is_bracketed and (address.is_loopback or self.is_remote)


def values(headers: RawHeaders, name: bytes) -> list[str]:
    """All values of a header, by its name in small letters."""
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]
