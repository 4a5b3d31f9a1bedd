"""The remote command line: a request runs a command, and the response holds what a terminal would show.

The command itself reads, decides, asks and prints, so nothing is implemented twice.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
import msgspec

from tracker.cli import relayed_wizard
from tracker.errors import Refusal
from tracker.log.refusals import DatabaseUnreachable
from tracker.records import decoder_of
from tracker.reports.refusal import other_data, refusal_data, refusal_text
from tracker.server import metrics, running
from tracker.server.access import Access, Caller, Forbidden
from tracker.server.parameters import command_called
from tracker.server.routes import ROUTES
from tracker.service.application import Tracker
from tracker.service.fences import CampaignHeld, CampaignMoved
from tracker.service.repository import RemoteRequest

PATH: Final = "/v1/command-line"
SERVED: Final = frozenset(route.command for route in ROUTES) | {
    "campaign export", "campaign list", "campaign new",
}  # fmt: skip
"""The commands that can run remotely."""
ONLY_HERE: Final = {"campaign export": frozenset({"--parquet"})}
"""Options that write a file of another kind, on the machine that keeps the campaign."""
WORDS_MAX: Final = 500
FILES_MAX: Final = 5
LINES_MAX: Final = 5_000
WIDTH_LEAST: Final = 20
WIDTH_MOST: Final = 1_000


class Talk(msgspec.Struct, forbid_unknown_fields=True):
    """A conversation with a wizard so far."""

    lines: list[str] = []
    """The lines typed since it began."""
    kept: str = ""
    """The content of the file at the beginning, or the content to record."""
    seed: str = ""
    """A seed for the wizard's dice, the same in all requests of the conversation."""
    over: bool = False
    """Whether no line follows."""
    record: bool = False
    """Whether the whole file was shown and confirmed: record it."""


class CommandLine(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments that somebody typed, and the files they name."""

    command: str
    """The command, such as 'battle record'."""
    words: list[str]
    """The arguments after the command."""
    campaign: str | None = None
    files: dict[str, str] = {}
    """The content of each file in base64, by its name in the arguments; '-' is standard input."""
    width: int = 80
    colour: bool = False
    key: str | None = None
    """The idempotency key: the same request again is recorded once."""
    talk: Talk | None = None
    """For a wizard: `battle play`, `battle post --wizard`, `gang new`."""


class Talked(msgspec.Struct, omit_defaults=True):
    """The state of the conversation."""

    file: str
    """The name of the file, if the arguments named none."""
    kept: str
    """The present content of the file, which the client stores."""
    asks: str | None = None
    """The question that waits for a line."""
    words: tuple[str, ...] = ()
    """The completions for the line."""
    records: bool = False
    """Whether the client should send `record` now, with the file as it is."""


class Printed(msgspec.Struct, omit_defaults=True):
    """The output of the command, and its exit code."""

    exit_code: int
    out: str = ""
    notes: list[str] = []
    refused: dict[str, Any] | None = None
    """The refusal as --json prints it."""
    refusal: str = ""
    """The refusal for people."""
    misused: str = ""
    """The usage error of click."""
    campaign: str | None = None
    """The campaign that it began."""
    files: dict[str, str] = {}
    """The content of each file that it made, in base64."""
    talked: Talked | None = None


class CommandNotServed(click.UsageError):
    """A command that runs only on the machine itself."""

    def __init__(self, command: str) -> None:
        super().__init__(f"{command!r} does not run remotely: use it on the machine that keeps the campaign.")


def read(body: bytes) -> tuple[CommandLine, Mapping[str, bytes]]:
    """The request and its files. Raises msgspec.DecodeError."""
    asked: CommandLine = decoder_of(CommandLine).decode(body)
    fits = WIDTH_LEAST <= asked.width <= WIDTH_MOST
    lines = asked.talk.lines if asked.talk is not None else ()
    if len(asked.words) > WORDS_MAX or len(asked.files) > FILES_MAX or len(lines) > LINES_MAX or not fits:
        raise msgspec.DecodeError("too many words, lines or files, or no width of a terminal")
    try:
        return asked, {name: base64.b64decode(held, validate=True) for name, held in asked.files.items()}
    except (binascii.Error, ValueError) as wrong:
        raise msgspec.DecodeError("a file is no base64") from wrong


def writes(asked: CommandLine) -> bool:
    """Whether it may append."""
    if asked.talk is not None:
        return asked.talk.record
    route = next((route for route in ROUTES if route.command == asked.command), None)
    return asked.command != "campaign export" and (route is None or route.method != "GET")


def is_dry(asked: CommandLine) -> bool:
    """Whether it only shows the result."""
    return "--dry-run" in asked.words


def ran(
    opened: Tracker, access: Access, caller: Caller, asked: CommandLine, files: Mapping[str, bytes]
) -> Printed:
    """In a thread: run the command as the caller."""
    sending = RemoteRequest(
        key=f"request:{caller.actor}:{asked.key}" if asked.key else None,
        digest=_digest(asked),
    )
    mine = opened.on_behalf_of(caller.actor, sending)
    collected = running.CollectedOutput(width=asked.width, colour=asked.colour)
    try:
        if asked.command not in (SERVED if asked.talk is None else relayed_wizard.WIZARDS):
            raise CommandNotServed(asked.command)
        command = command_called(asked.command)
        for option in ONLY_HERE.get(asked.command, frozenset()) & {*asked.words}:
            raise running.NotFromAfar(option=option)
        if asked.campaign is not None:
            campaign = access.campaign(caller, asked.campaign, asked.command)
            metrics.of_campaign(campaign)
            given = _options(command, asked.words)
            mine.repository.sending = sending._replace(
                allow=access.allow(caller, campaign, asked.command, given),
                claim=access.claim(caller, campaign),
            )
        else:
            access.anywhere(caller, asked.command)
        session = running.ServedSession(mine, asked.campaign, sees=lambda row: access.sees(caller, row))
        if asked.talk is not None:
            return _talked(asked, asked.talk, session, files, collected)
        came = running.run(command, asked.command, asked.words, session, files=files, collected=collected)
        if session.began is not None:
            access.began(caller, mine.directory.campaign_id(session.began))
    except (CampaignHeld, CampaignMoved, DatabaseUnreachable):
        raise  # the caller finds the cell and whether it answers
    except Forbidden as forbidden:
        data = other_data("not_allowed", str(forbidden), 1, {})
        return Printed(exit_code=1, refused=data, refusal=str(forbidden))
    except Refusal as refusal:
        return Printed(
            exit_code=refusal.exit_code,
            out=collected.text(),
            notes=collected.notes,
            refused=refusal_data(refusal),
            refusal=refusal_text(refusal),
        )
    except click.ClickException as wrong:
        return Printed(exit_code=2, notes=collected.notes, misused=wrong.format_message())
    finally:
        metrics.appended(mine)
    return Printed(
        exit_code=came.exit_code,
        out=collected.text(),
        notes=collected.notes,
        campaign=session.began,
        files={name: base64.b64encode(made).decode() for name, made in came.made.items()},
    )


def _talked(
    asked: CommandLine,
    talk: Talk,
    session: running.ServedSession,
    files: Mapping[str, bytes],
    collected: running.CollectedOutput,
) -> Printed:
    """One turn of a conversation. Raises Refusal and click's own exceptions."""
    command = command_called(asked.command)
    with running.as_if_typed(command, asked.command, asked.words, session, files, collected) as context:
        if talk.record:
            came = relayed_wizard.record(session, asked.command, context.params, talk.kept)
        else:
            sitting = relayed_wizard.Sitting(talk.kept, talk.lines, talk.seed, is_over=talk.over)
            came = relayed_wizard.take_turn(session, asked.command, context.params, sitting)
    return Printed(
        exit_code=came.exit_code,
        out=collected.text(),
        notes=collected.notes,
        talked=Talked(file=came.file, kept=came.kept, asks=came.asks, words=came.words, records=came.records),
    )


def _options(command: click.Command, words: Sequence[str]) -> dict[str, bool]:
    """The options that were given, for rights that depend on them."""
    typed = {word.partition("=")[0] for word in words if word.startswith("--")}
    return {option.lstrip("-"): True for each in command.params for option in each.opts if option in typed}


def _digest(asked: CommandLine) -> str:
    content = [asked.command, asked.words, asked.campaign, sorted(asked.files.items())]
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()
