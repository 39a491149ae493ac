"""The options of ``prebrief serve`` that are about HTTP. Light: nothing is imported that serves."""

from __future__ import annotations

import argparse
import ipaddress
from dataclasses import dataclass

LOOPBACK = "127.0.0.1"
MOST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen.

    Attributes:
        host: an address, of IPv4 or IPv6.
        port: its number; 0 for any that is free.
    """

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(self.host).is_loopback

    def url(self, port: int = 0) -> str:
        """The base of its URLs, with the port that was free."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port or self.port}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare them."""
    group = parser.add_argument_group("HTTP")
    group.add_argument(
        "--http",
        type=address,
        metavar="[HOST:]PORT",
        help=f"answer HTTP as well, at an address of this machine (default: {LOOPBACK}); "
        "needs the extra 'serve'",
    )
    group.add_argument(
        "--allow-remote",
        action="store_true",
        help="let --http listen where other machines can connect: unencrypted, whoever has the token",
    )
    group.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="let pages of this origin ask, as in https://dashboard.example; others are refused",
    )
    group.add_argument(
        "--http-token",
        action="store_true",
        help="tell which file holds the token of HTTP, which is made if there is none",
    )


def address(text: str) -> Address:
    """The value of ``--http``."""
    host, _, port = text.rpartition(":")
    if not (port.isdigit() and port.isascii() and len(port) <= 5 and int(port) <= MOST_PORT):
        raise argparse.ArgumentTypeError(f"'{text}' does not end in a port")
    is_bracketed = host.startswith("[") and host.endswith("]")
    if host in ("", "localhost"):
        return Address(LOOPBACK, int(port))
    try:
        known = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{host}' is no IP address, nor 'localhost'") from None
    if (known.version == 6) != is_bracketed:
        raise argparse.ArgumentTypeError("an address of IPv6 stands in brackets, as in [::1]:8787")
    return Address(str(known), int(port))
