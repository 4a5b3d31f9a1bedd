"""The settings of a host: flags come before the environment, and the environment before the file.

Knows no server. The flags of `arbitrator serve`, the environment variables, the keys of the file and their
documentation are all derived from `Settings`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

import click
import msgspec
from msgspec import Meta

from tracker.errors import BadInput, nearest
from tracker.records import converted

FILE: Final = "tracker.toml"
"""The file that is read from the current folder by default."""
PREFIX: Final = "TRACKER_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a host."""

    database_url: Annotated[
        str | None, Meta(description="The database, as --db takes it; a file in your data folder otherwise.")
    ] = None
    host: Annotated[str, Meta(description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="The port; 0 takes a free one.")] = 8000
    service_address: Annotated[
        str | None,
        Meta(
            description="Where people reach it, behind a proxy with TLS: https://club.example."
            " This machine otherwise."
        ),
    ] = None
    workers: Annotated[
        int, Meta(ge=1, le=64, description="Processes that answer requests. More than one needs PostgreSQL.")
    ] = 1
    log_json: Annotated[bool, Meta(description="Write the log as JSON lines.")] = False
    closed: Annotated[
        bool,
        Meta(description="Let nobody begin a campaign through the service but whoever keeps this machine."),
    ] = False
    work_processes: Annotated[
        int,
        Meta(
            ge=1, le=64, description="Processes, of each worker, for odds, previews and other long reading."
        ),
    ] = 2
    work_seconds: Annotated[
        int, Meta(ge=1, le=3600, description="How long one of these may take; then it is refused.")
    ] = 20
    work_megabytes: Annotated[
        int,
        Meta(
            ge=64, le=1_000_000, description="How much memory it may take beyond the program's own (Linux)."
        ),
    ] = 512
    no_limits: Annotated[bool, Meta(description="Set no limits on requests. For measurements.")] = False
    grace_seconds: Annotated[
        int, Meta(ge=1, le=5, description="How long a stop waits for requests that have begun.")
    ] = 5


NOT_FLAGS: Final = frozenset({"database_url"})
"""Settings without a flag, because an option before the command (--db) gives them."""


class SettingKind(NamedTuple):
    """The declaration of a setting."""

    name: str
    kind: type
    default: Any
    about: str
    least: int | None
    most: int | None


class UnknownSetting(BadInput):
    """{key} is not a setting ({where}).{guess}"""

    key: str
    where: str
    guess: str


class SettingWrong(BadInput):
    """{key} ({where}): {why}."""

    key: str
    where: str
    why: str


class SettingsUnreadable(BadInput):
    """The settings in {file} cannot be read: {why}."""

    file: str
    why: str


def declared() -> Iterator[SettingKind]:
    """Every setting, in the order of declaration."""
    hints = get_type_hints(Settings, include_extras=True)
    for field in msgspec.structs.fields(Settings):
        (meta,) = hints[field.name].__metadata__
        kind = next(kind for kind in (bool, int, str) if kind in _types(hints[field.name].__origin__))
        yield SettingKind(field.name, kind, field.default, meta.description, meta.ge, meta.le)


def _types(hint: Any) -> tuple[Any, ...]:
    return getattr(hint, "__args__", (hint,))


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the flags of the settings, and --config, to a command."""
    for setting in reversed([*declared()]):
        if setting.name not in NOT_FLAGS:
            command = _option(setting)(command)
    about = f"The file with the rest of the settings. [default: {FILE}, if it is there]"
    return click.option("--config", metavar="FILE", envvar=f"{PREFIX}CONFIG", help=about)(command)


def _option(setting: SettingKind) -> Callable[..., Any]:
    flag = f"--{setting.name.replace('_', '-')}"
    about: dict[str, Any] = {"envvar": PREFIX + setting.name.upper(), "default": None, "help": setting.about}
    if setting.kind is bool:
        return click.option(flag, is_flag=True, **about)
    if setting.default is not None:
        about["help"] += f" [default: {setting.default}]"
    kind = click.IntRange(setting.least, setting.most) if setting.kind is int else setting.kind
    return click.option(flag, type=kind, **about)


def read(given: Mapping[str, Any], *, config: str | None, environment: Mapping[str, str]) -> Settings:
    """The settings from flags or the environment, then the file, then the defaults.

    Raises UnknownSetting, SettingWrong, SettingsUnreadable.
    """
    _refuse_slips(environment)
    values = {**_of_file(config), **{name: value for name, value in given.items() if value is not None}}
    chosen: Settings = converted(values, Settings)
    return chosen


def _of_file(config: str | None) -> dict[str, Any]:
    file = Path(config or FILE)
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as missing:
        if config is None:
            return {}
        raise SettingsUnreadable(file=str(file), why="there is no such file") from missing
    except (OSError, ValueError) as wrong:
        raise SettingsUnreadable(file=str(file), why=str(wrong)) from wrong
    known = [setting.name for setting in declared()]
    for key, value in values.items():
        if key not in known:
            raise UnknownSetting(key=key, where=str(file), guess=nearest(key, known))
        try:
            converted({key: value}, Settings)
        except msgspec.ValidationError as wrong:
            why = str(wrong).partition(" - at")[0]
            raise SettingWrong(key=key, where=str(file), why=why[:1].lower() + why[1:]) from wrong
    return values


def _refuse_slips(environment: Mapping[str, str]) -> None:
    """Raises UnknownSetting for variables whose name is close to one of ours; others may belong to other
    programs.
    """
    known = [setting.name.upper() for setting in declared()]
    for name in environment:
        own = name.removeprefix(PREFIX)
        if own == name or own in known or own in _OF_THE_COMMAND_LINE:
            continue
        guess = nearest(own, known)
        if guess:
            raise UnknownSetting(key=name, where="the environment", guess=guess.replace(" '", f" '{PREFIX}"))


_OF_THE_COMMAND_LINE: Final = frozenset(
    {"DATABASE_URL", "CAMPAIGN", "ACTOR", "ARMOURY", "KEY_PASSPHRASE", "SERVICE", "TOKEN", "CONFIG"}
)
"""The variables that the rest of the program reads."""
