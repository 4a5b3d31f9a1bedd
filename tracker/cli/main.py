"""The command `arbitrator`: its nouns, its global options, and the exit of every failure.

Knows the file of each noun and imports it only on use, so that help stays quick. A user never sees a
traceback: an unexpected error goes to a file, which the message names.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import sys
import traceback
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

import tracker
from tracker.cli import streams
from tracker.cli.global_options import accept_global_options
from tracker.cli.session import CompletedWork, Session, data_folder
from tracker.errors import DONE_NOT_SHOWN, BadInput, Refusal, nearest

EXIT_CODES = """\b
Exit codes: 0 done · 1 the rules or the state refuse ·
2 input or usage wrong, or dice missing · 3 stale or busy, try again ·
4 the log or the boards are damaged · 5 done and kept, but not shown ·
70 a fault of this program · 130 stopped by Ctrl-C"""

NOUNS: dict[str, str] = {
    "campaign": "Begin, list, show, choose, publish, export and import campaigns.",
    "member": "Invite, list and forget people; change roles; make tokens.",
    "webhook": "Post battles, standings, disputes and rulings to Discord or a program.",
    "gang": "Enlist, import, list and show gangs; buy and sell; correct.",
    "fighter": "Add, hire, show, advance, retire and rename fighters.",
    "battle": "Record, continue, amend, propose, list and show battles.",
    "draft": "Fill in reports and sheets answer by answer, from any device.",
    "roster": "Show rosters, now or at an earlier point; compare two points.",
    "standings": "Show the standings.",
    "log": "Read the log, whole or by entry; confirm a roll.",
    "entry": "Correct what was typed wrong in a recorded entry.",
    "explain": "Trace a number on a roster to its dice, house rules and rulings.",
    "dispute": "Dispute a roll, an entry or a ruling; preview a ruling; rule.",
    "rollback": "Roll back a battle, everything after an entry, or a ruling.",
    "policy": "List, show, adopt and repeal house rules; play what-if.",
    "judge": "Decide one exchange from a file, and record nothing.",
    "odds": "Show the exact chances of an exchange or a table.",
    "rules": "List and show tables, settings and house rules.",
    "dice": "Roll dice that everybody can check: commit, contribute, reveal, close.",
    "audit": "Verify and sign the log; report disputes, rulings and dice.",
    "boards": "Rebuild or verify the stored rosters and standings.",
    "armoury": "Show, check, merge and import armoury files.",
    "login": "Sign in to a service with a link or a token.",
    "logout": "Sign out of the service and use this machine again.",
    "serve": "Serve this database's campaigns over HTTP until Ctrl-C.",
    "host": "Work on all campaigns at once: export, count, replay, move.",
    "schema": "Print the JSON Schema of a file format, for your editor.",
    "db": "Upgrade or back up the database; show its revision.",
    "daemon": "Keep the program loaded, so that commands answer at once.",
    "doctor": "Check the set-up, and say what to do.",
    "completion": "Print the completion script for a shell.",
    "help": "Show help on a command or a topic.",
}
_ELSEWHERE = {"serve": "tracker.server.serve", "daemon": "tracker.resident.daemon"}
"""Nouns from packages above the command line, because they run its commands."""
ENVIRONMENT = ("TRACKER_DATABASE_URL", "TRACKER_CAMPAIGN", "TRACKER_ACTOR")


class Nouns(click.Group):
    """Finds a noun's file by its name, and suggests the nearest noun for a slip."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(NOUNS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in NOUNS:
            return None
        command = importlib.import_module(_ELSEWHERE.get(cmd_name, f"tracker.cli.{cmd_name}")).command
        assert isinstance(command, click.Command), f"{cmd_name} holds no command"
        return accept_global_options(command, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in NOUNS and not args[0].startswith("-"):
            raise click.UsageError(f"No command {args[0]!r}.{nearest(args[0], NOUNS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An error that damage explains is reported as damage."""
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            if not isinstance(ctx.obj, Session) or not ctx.obj.has_read or refusal.exit_code not in (1, 2, 3):
                raise
            ctx.obj.in_words_of_its_game(refusal)
            from tracker.cli.damage import damage_that_hides  # not above: help stays quick

            damage = damage_that_hides(ctx.obj, refusal)
            if damage is None:
                raise
            from tracker.reports.refusal import refusal_text

            say(refusal_text(refusal))  # the damage may not be the cause: report both
            raise damage from refusal
        except (click.ClickException, click.exceptions.Abort, click.exceptions.Exit, OSError):
            raise
        except Exception as fault:
            from tracker.cli.damage import damage_behind  # not above: help stays quick

            # Until a session is opened, its place is taken by the list that it will stand in.
            damage = damage_behind(ctx.obj if isinstance(ctx.obj, Session) else None)
            if damage is None:
                raise
            raise damage from fault

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Nouns"):
            formatter.write_dl(list(NOUNS.items()))


@click.group(
    cls=Nouns,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.option(
    "--db",
    metavar="URL",
    envvar="TRACKER_DATABASE_URL",
    help="Database URL or SQLite file. [default: a file in your data directory]",
)
@click.option(
    "-c",
    "--campaign",
    metavar="NAME",
    envvar="TRACKER_CAMPAIGN",
    help="The campaign. [default: the one chosen with 'campaign use', or the only one]",
)
@click.option(
    "--as",
    "actor",
    metavar="WHO",
    envvar="TRACKER_ACTOR",
    help="Who enters this. [default: your login name]",
)
@click.option("--no-pager", is_flag=True, help="Print long pages straight to the terminal. [also: PAGER=cat]")
@click.version_option(tracker.__version__, prog_name="arbitrator", message="%(prog)s %(version)s")
@click.pass_context
def arbitrator(
    ctx: click.Context, db: str | None, campaign: str | None, actor: str | None, no_pager: bool
) -> None:
    """Keep a campaign of tabletop skirmish battles, with every roll in an append-only log.

    \b
    A first evening:
      arbitrator campaign new "Ash Wastes" --ruleset necromunda_2023
      arbitrator gang add iron-skulls.yaml
      arbitrator battle record first-night.yaml
      arbitrator roster show

    --db, --campaign, --as and --no-pager may also stand behind the verb.
    """
    opened: list[Session] | None = ctx.obj
    ctx.obj = Session(db=db, campaign=campaign, actor=actor)
    ctx.obj.paging = not no_pager
    ctx.call_on_close(ctx.obj.close)
    if opened is not None:
        opened.append(ctx.obj)
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False


def run(args: list[str] | None = None) -> None:
    """Run the command and leave with a documented exit code."""
    # Keep imported modules out of garbage collection: they live to the end of the command.
    gc.set_threshold(50_000, 20, 100)
    streams.settle()
    code = outcome(args)
    # The process ends: a last garbage collection took a quarter of a short command.
    gc.freeze()
    sys.exit(code)


def outcome(args: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    opened: list[Session] = []
    words = sys.argv[1:] if args is None else args
    as_json = _asks_for_json(words)
    try:
        try:
            _refuse_half_letters(words)
            code = arbitrator.main(args=args, prog_name="arbitrator", standalone_mode=False, obj=opened)
            sys.stdout.flush()
            if any(session.done for session in opened):
                streams.refuse_unread()
        finally:
            streams.no_more_stops()
    except click.ClickException as wrong:
        code = wrong.exit_code if wrong.exit_code == 1 and isinstance(wrong, click.FileError) else 2
        _show_misuse(wrong, code, as_json=as_json)
        return code
    except SystemExit as over:  # click's own, once it has completed a word for a shell
        return over.code if isinstance(over.code, int) else 0
    except (Exception, KeyboardInterrupt) as ended:  # noqa: BLE001  # the last resort: nobody shall see a traceback
        return _broken_off(ended, [done for session in opened for done in session.done], as_json=as_json)
    return code if isinstance(code, int) else 0


def _asks_for_json(words: list[str]) -> bool:
    """Whether the arguments ask for JSON; read from the words, because they may not be a valid command."""
    own = words[: words.index("--")] if "--" in words else words
    return "--json" in own or "--format=json" in own or ("--format", "json") in pairwise(own)


def _broken_off(ended: BaseException, done: list[CompletedWork], *, as_json: bool) -> int:
    """Say why a command broke off and what it had done; returns the exit code."""
    match ended:
        case Refusal():
            from tracker.reports.refusal import refusal_text  # not above: help stays quick

            reason, short, code = refusal_text(ended), "", ended.exit_code
        case click.Abort() | KeyboardInterrupt():
            reason, short, code = "Stopped. Nothing was recorded.", "stopped before all of it was shown", 130
        case streams.NotShown():
            reason = f"The answer could not be shown: {ended.why}. Nothing was recorded."
            short, code = f"could not be shown: {ended.why}", 2
        case _:
            reason, short, code = _unforeseen(ended), "", 70
    if not done:
        if as_json:
            from tracker.reports.refusal import other_data, refusal_data  # not above: help stays quick

            name = {130: "stopped", 2: "not_shown"}.get(code, "fault")
            _show_object(
                refusal_data(ended) if isinstance(ended, Refusal) else other_data(name, reason, code, {})
            )
        say(reason)
        return code
    for work in done:
        say(f"{work.what}; {short or 'not all of it was shown'}.{work.see}")
    if not short:
        say(reason)
    return DONE_NOT_SHOWN


def _show_object(data: dict[str, Any]) -> None:
    """Print the refusal as JSON. If standard output is closed, standard error still has the message."""
    from tracker.reports.escaping import json_text

    with contextlib.suppress(streams.NotShown):
        click.echo(json_text("refusal", data))
        sys.stdout.flush()


def say(message: str) -> None:
    """Print one paragraph to standard error, without terminal control characters."""
    from tracker.reports.escaping import sanitize

    click.echo("\n".join(sanitize(line) for line in f"arbitrator: {message}".split("\n")), file=sys.stderr)


class NotUtf8Argument(BadInput):
    """A word on the command line is not UTF-8 text. Type it again, or rename the file it names."""


def _refuse_half_letters(args: list[str]) -> None:
    """Refuse undecodable bytes: Python passes them on as lone surrogates, which cannot be stored."""
    for word in (*args, *(os.environ.get(name, "") for name in ENVIRONMENT)):
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise NotUtf8Argument from error


def _show_misuse(wrong: click.ClickException, code: int, *, as_json: bool) -> None:
    """Print click's usage error, without terminal control characters."""
    from tracker.reports.escaping import sanitize

    if as_json:
        from tracker.reports.refusal import other_data

        name = next(name for kind, name in _MISUSES.items() if isinstance(wrong, kind))
        called = getattr(wrong, "ctx", None)
        about = called.command_path if called is not None else "arbitrator"
        _show_object(other_data(name, wrong.format_message(), code, {"command": about}))
    words = io.StringIO()
    wrong.show(words)
    click.echo("\n".join(sanitize(line) for line in words.getvalue().rstrip("\n").split("\n")), err=True)


_MISUSES: dict[type[click.ClickException], str] = {
    click.NoSuchOption: "no_such_option",
    click.MissingParameter: "missing_parameter",
    click.BadParameter: "bad_parameter",
    click.FileError: "file_error",
    click.ClickException: "usage_error",
}
"""Stable codes for click's errors, whose class names may change."""


def _unforeseen(fault: BaseException) -> str:
    trace = "".join(traceback.format_exception(fault))
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    kind = type(fault).__name__
    what = f"This is a fault of the program, not of yours ({kind}). Nothing was half written."
    try:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        file = Path(folder) / f"fault-{stamp}.txt"
        file.write_text(trace, encoding="utf-8")
    except OSError:
        return f"{what} The details could not be saved; run again with PYTHONFAULTHANDLER=1 and report it."
    return f"{what} Please report it with the file {file}."
