"""The address of a database's service: as typed, as set, or as 'arbitrator serve' announced last."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from tracker.cli.session import Session, data_folder
from tracker.errors import BadInput
from tracker.service.whole_files import write_whole

F = TypeVar("F", bound=Callable[..., Any])

_KEPT = "addresses.json"
_HERE = ("localhost", "127.0.0.1", "::1")


class NoServiceAddress(BadInput):
    """{url!r} is not the address of a service. Write it as https://club.example; http:// works only for this
    machine.
    """

    url: str


def service_address_option(help_text: str) -> Callable[[F], F]:
    """`--service-address`, or TRACKER_SERVICE_ADDRESS."""
    return click.option("--service-address", metavar="URL", envvar="TRACKER_SERVICE_ADDRESS", help=help_text)


def usable_address(url: str) -> str:
    """An address to make links with: without a path, over TLS or on this machine.

    Raises NoServiceAddress.
    """
    url = url.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        is_one = bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        raise NoServiceAddress(url=url) from None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
    if (
        not (is_one and is_safe and url.isprintable())
        or parts.path
        or parts.query
        or parts.fragment
        or parts.username
    ):
        raise NoServiceAddress(url=url)
    return url


def announce(session: Session, address: str) -> None:
    """Store the address of this database's service."""
    file = data_folder() / _KEPT
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(_announced() | {_database(session): address}).encode())
    except OSError:
        return  # links are then printed without it


def known_address(session: Session, given: str | None) -> str | None:
    """The known address, or None. Raises NoServiceAddress."""
    if given:
        return usable_address(given)
    return _announced().get(_database(session))


def is_only_here(address: str) -> bool:
    """Whether only this machine reaches that address."""
    return urlsplit(address).hostname in _HERE


def link(address: str, secret: str) -> str:
    """The link for a browser or 'arbitrator login'."""
    return f"{address}/join/{secret}"


def _database(session: Session) -> str:
    """Without its password."""
    return session.tracker.engine.url.render_as_string()


def _announced() -> dict[str, str]:
    try:
        held = json.loads((data_folder() / _KEPT).read_text(encoding="utf-8"))
        return {str(database): usable_address(str(address)) for database, address in held.items()}
    except (OSError, ValueError, AttributeError, NoServiceAddress):
        return {}
