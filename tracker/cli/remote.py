"""A remote service: after signing in, commands run there, with the same arguments and answers.

The arguments are parsed here first, so that mistakes are reported at once and local files are sent along. The
service runs the command and returns its output.
"""

from __future__ import annotations

import base64
import json
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from tracker.cli import session as sessions
from tracker.cli.output import output
from tracker.cli.session import NoCampaignChosen, RemoteService, Session
from tracker.documents.house_rule import is_house_rule_file
from tracker.documents.yaml_reader import file_bytes
from tracker.errors import BadInput, Stale
from tracker.reports.refusal import RefusedElsewhere
from tracker.rights import RIGHTS
from tracker.service.whole_files import write_whole

_TRIES: Final = 4
_SECONDS: Final = 60.0
_FILES: Final = frozenset({"file", "armoury", "keys", "known_head"})
"""Parameters that name a file of this machine, or several."""
_MAKES_FILES: Final = frozenset({"campaign export", "gang export"})
"""Commands whose file is made, and not read."""
_MAY_BE_FILES: Final = frozenset({"policy", "policies", "overrides"})
"""Parameters that name a house rule, or its file."""
HERE: Final = frozenset({"armoury", "completion", "help", "host", "login", "logout"})
"""Nouns that always run on this machine."""
HERE_TOO: Final = frozenset(
    {
        "gang import",
        "campaign publish",
        "member forget",
        "member rename",
        "member token list",
        "member token new",
        "member token revoke",
    }
)
"""Commands of other nouns that run on this machine's files and database."""
WITHOUT_CAMPAIGN: Final = frozenset({"campaign list", "campaign new"})
WITH_OR_WITHOUT: Final = frozenset({"judge", "odds", "rules list", "rules show", "schema"})
"""Commands that use the campaign's book if there is one."""


class ServiceNotInstalled(BadInput):
    """A service elsewhere needs libraries that are not installed: pip install 'campaign-tracker[server]'."""


class ServiceNotReached(Stale):
    """{url} does not answer ({why}). Look at the connection and repeat; what was sent before counts once."""

    url: str
    why: str


class TokenNotTaken(BadInput):
    """{url} does not know this token any more: sign in again with 'arbitrator login {url}'."""

    url: str


class ServiceRefuses(BadInput):
    """{url} answers: {what}"""

    url: str
    what: str


def keep(service: RemoteService) -> Path:
    """Store the service for the next commands, in a file that only its owner can read."""
    folder = sessions.data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / sessions.SERVICE
    write_whole(file, json.dumps(service._asdict()).encode(), mode=0o600)
    return file


def forget() -> bool:
    """Forget the service; False if there was none."""
    file = sessions.data_folder() / sessions.SERVICE
    there = file.exists()
    file.unlink(missing_ok=True)
    return there


def is_here(command: str, given: Mapping[str, Any] | None = None) -> bool:
    """Whether a command always runs on this machine, because its argument may be a large file."""
    if command == "audit verify" and given and given.get("file"):
        return True
    right = RIGHTS.get(command)
    is_of_machine = right is not None and right.who == "machine"
    return is_of_machine or command.split(maxsplit=1)[0] in HERE or command in HERE_TOO


def ask(service: RemoteService, path: str, *, body: bytes | None = None) -> Any:
    """Send a request and return the JSON answer; repeats it if the connection breaks.

    Raises ServiceNotReached, TokenNotTaken, ServiceRefuses.
    """
    why = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(0.2 * 3**attempt)
        try:
            status, answer = connected(service, path, body)
        except OSError as lost:
            why = str(lost) or type(lost).__name__
            continue
        if status == 503:
            why = "it is busy"
            continue
        if status == 401:
            raise TokenNotTaken(url=service.url)
        if status != 200:
            raise ServiceRefuses(url=service.url, what=str(answer.get("detail", status)))
        return answer
    raise ServiceNotReached(url=service.url, why=why)


def connected(service: RemoteService, path: str, body: bytes | None) -> tuple[int, Any]:
    """Send one request; returns the status and the body. Raises OSError without an answer."""
    try:
        import httpx2  # not above: an extra, and slow
    except ImportError as missing:
        raise ServiceNotInstalled from missing
    headers = {"Content-Type": "application/json"}
    if service.token:  # a person who joins by a link has none yet
        headers["Authorization"] = f"Bearer {service.token}"
    method = "GET" if body is None else "POST"
    try:
        answer = httpx2.request(method, service.url + path, content=body, headers=headers, timeout=_SECONDS)
        return answer.status_code, answer.json()
    except (httpx2.HTTPError, httpx2.InvalidURL) as lost:
        raise OSError(str(lost)) from lost
    except ValueError as wrong:
        raise ServiceRefuses(url=service.url, what="not JSON: is it an arbitrator's service?") from wrong


def campaign_there(session: Session, service: RemoteService) -> str:
    """The campaign: the named one, the one chosen for this service, or the only one there.

    Raises NoCampaignChosen.
    """
    if session.campaign_named is not None:
        return session.campaign_named
    chosen = sessions.chosen_campaign(service.url)
    if chosen:
        return chosen
    known = tuple(str(row["slug"]) for row in ask(service, "/v1/campaigns")["campaigns"])
    if len(known) != 1:
        raise NoCampaignChosen(known=known)
    return known[0]


def run(service: RemoteService, context: click.Context, command: str, words: Sequence[str]) -> int:
    """Run a command there, show its output and return its exit code.

    Raises RefusedElsewhere, click.UsageError, what `ask` raises, and, for a wizard, the refusals of its file.
    """
    session: Session = context.obj
    given = context.params
    campaign = None
    if command not in WITHOUT_CAMPAIGN:
        try:
            campaign = campaign_there(session, service)
        except NoCampaignChosen:
            if command not in WITH_OR_WITHOUT:
                raise
    request: dict[str, Any] = {
        "command": command,
        "words": [*words],
        "campaign": campaign,
        "width": min(1_000, output().width),
        "colour": output().colour,
    }
    if is_conversation(command, given):
        from tracker.cli import remote_wizard  # not above: few commands ask anything

        request["files"] = _as_sent({"armoury": given.get("armoury")})
        talked = partial(_talked, service, context, request)
        return remote_wizard.converse(talked, file=given.get("file"), resume=given.get("resume"))
    request["files"] = _as_sent(given if command not in _MAKES_FILES else {})
    printed = _printed(service, context, request)
    _write_made(command, given, printed.get("files", {}), url=service.url)
    out = str(printed.get("out", ""))
    if out:
        output().show_at_length(out.removesuffix("\n"))
    _refuse(printed)
    if command == "campaign new" and printed["exit_code"] == 0:
        session.choose(str(printed["campaign"]), at=service.url)
    return int(printed["exit_code"])


def is_conversation(command: str, given: Mapping[str, Any]) -> bool:
    """Whether the command is a wizard."""
    asks = bool(given.get("wizard")) or given.get("resume") is not None
    return command in ("battle play", "gang new") or (command == "battle post" and asks)


def _printed(service: RemoteService, context: click.Context, request: Mapping[str, Any]) -> dict[str, Any]:
    """The output of the command there; remarks are shown. Raises click.UsageError and what `ask` raises."""
    body = json.dumps({**request, "key": secrets.token_hex(16)}).encode()
    printed: dict[str, Any] = ask(service, "/v1/command-line", body=body)
    for note in printed.get("notes", ()):
        click.echo(note, err=True)
    if printed.get("misused"):
        raise click.UsageError(printed["misused"], context)
    return printed


def _refuse(printed: Mapping[str, Any]) -> None:
    """Raises RefusedElsewhere if the command was refused there."""
    if printed.get("refused"):
        raise RefusedElsewhere(printed["exit_code"], printed["refusal"], printed["refused"])


def _talked(
    service: RemoteService, context: click.Context, request: Mapping[str, Any], talk: Mapping[str, Any]
) -> dict[str, Any]:
    """One turn of a conversation there, as it printed it. Raises RefusedElsewhere, and what `ask` raises."""
    printed = _printed(service, context, {**request, "talk": talk})
    if printed.get("refused"):
        click.echo(printed.get("out", ""), nl=False)
    _refuse(printed)
    return printed


def _write_made(command: str, given: Mapping[str, Any], files: Mapping[str, str], *, url: str) -> None:
    """Write the files that the service made, only under the names given here.

    Raises ServiceRefuses, and what the command itself raises for a file.
    """
    if not files:
        return
    from tracker.cli.exports import write_export  # not above: few commands make files
    from tracker.service import archives, proof_files

    asked = {str(given[name]) for name in ("file", "out") if given.get(name) is not None}
    if command == "audit prove":
        out = str(given.get("out") or f"{given['event']}.tlog-proof")
        asked = {out, f"{out}.json"}
    if not {*files} <= asked:
        raise ServiceRefuses(
            url=url, what=f"files that nobody asked for: {', '.join(sorted({*files} - asked))}"
        )
    for name, held in files.items():
        content = base64.b64decode(held)
        if command == "campaign export":
            archives.keep_archive(content, Path(name))
        elif command == "gang export":
            text = given.get("form") != "xlsx"
            replacing = bool(given.get("replacing"))
            write_export(Path(name), content.decode() if text else content, replacing=replacing)
        else:
            proof_files.write_new(content.decode(), name)


def _as_sent(given: Mapping[str, Any]) -> dict[str, str]:
    """The files named in the arguments, by name, in base64."""
    named: list[Any] = []
    for name in _FILES & {*given}:
        named += given[name] if isinstance(given[name], list | tuple) else [given[name]]
    named = [value for value in named if value is not None]
    named += [file for _entry, file in given.get("also") or ()]
    for name in _MAY_BE_FILES & {*given}:
        each = given[name] if isinstance(given[name], list | tuple) else [given[name]]
        named += [value for value in each if value is not None and is_house_rule_file(value)]
    held = {
        str(name): sys.stdin.buffer.read(1024 * 1024 + 1) if name == "-" else file_bytes(str(name))
        for name in named
    }
    return {name: base64.b64encode(content).decode() for name, content in held.items()}
