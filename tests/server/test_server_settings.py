"""Settings: flags before the environment before a file, slips refused with what was meant, and the page about them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from cli_arbitrator import Arbitrator
from click.testing import CliRunner

from tracker.errors import BadInput
from tracker.server import process, settings

HEADING = """\
# Settings of the service

Written from the program's declaration of them by `make golden`. A setting is taken from the flag, else from the environment,
else from the file: `tracker.toml` in the folder where `arbitrator serve` is started, or the one named by `--config` or
`TRACKER_CONFIG`. A key of the file that is no setting is refused, with the nearest one that is.

```toml
database_url = "postgresql+psycopg://tracker@/tracker?host=/run/postgresql"
workers = 4
log_json = true
```

| Key of the file | Flag | Environment | | Default |
|---|---|---|---|---|
"""


def chosen(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str, file: str = "", **environment: str
) -> settings.Settings:
    """What a command with these words, this file and this environment is given."""
    monkeypatch.chdir(folder)
    if file:
        Path("tracker.toml").write_text(file, encoding="utf-8")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found: list[settings.Settings] = []

    @click.command()
    @settings.options
    def command(*, config: str | None, **given: Any) -> None:
        found.append(settings.read(given, config=config, environment=os.environ))

    ran = CliRunner().invoke(command, words)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    assert found, ran.output
    return found[0]


def test_a_flag_comes_before_the_environment_and_that_before_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = 'port = 1\nhost = "::1"\nworkers = 2\n'
    given = chosen(monkeypatch, tmp_path, "--port", "3", file=file, TRACKER_PORT="2", TRACKER_WORKERS="5")
    assert given == settings.Settings(port=3, host="::1", workers=5)


def test_without_a_setting_the_default_applies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert chosen(monkeypatch, tmp_path) == settings.Settings()


def test_a_file_is_named_by_a_flag(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.toml").write_text("log_json = true", encoding="utf-8")
    assert chosen(monkeypatch, tmp_path, "--config", "elsewhere.toml").log_json
    with pytest.raises(settings.SettingsUnreadable, match="there is no such file"):
        chosen(monkeypatch, tmp_path, "--config", "nowhere.toml")


@pytest.mark.parametrize(
    ("file", "environment", "said"),
    [
        ("prot = 3", {}, "prot is not a setting (tracker.toml). Did you mean 'port'?"),
        ('port = "3"', {}, "port (tracker.toml): expected `int"),
        ("workers = 0", {}, "workers (tracker.toml): expected `int` >= 1"),
        ("port = ", {}, "The settings in tracker.toml cannot be read"),
        ("", {"TRACKER_WORKRES": "2"}, "TRACKER_WORKRES is not a setting (the environment). Did you mean 'TRACKER_WORKERS'?"),
    ],
)  # fmt: skip
def test_a_slip_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, environment: dict[str, str], said: str
) -> None:
    with pytest.raises(BadInput) as refused:
        chosen(monkeypatch, tmp_path, file=file, **environment)
    assert said in str(refused.value)


def test_names_of_other_programs_in_the_environment_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = {"TRACKER_CAMPAIGN": "x", "TRACKER_TOKEN": "y", "TRACKER_PAGES_SHOWN": "z", "PORT": "1"}
    assert chosen(monkeypatch, tmp_path, **names) == settings.Settings()


def test_several_processes_are_refused_on_one_sqlite_file_and_told_why(table: Arbitrator) -> None:
    said = " ".join(table.refused(2, "serve", "--workers", "2").split())
    assert "An SQLite file has one writer at a time" in said
    assert "PostgreSQL" in said


def test_a_port_that_is_taken_is_named(table: Arbitrator) -> None:
    with process.listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port} cannot be listened on" in table.refused(2, "serve", "--port", str(port))


def test_an_address_that_others_reach_is_refused(table: Arbitrator) -> None:
    assert "0.0.0.0 can be reached from other machines" in table.refused(2, "serve", "--host", "0.0.0.0")  # noqa: S104


def test_the_page_of_settings_is_written_from_their_declaration(golden: Callable[[str, str], None]) -> None:
    rows = []
    for setting in settings.declared():
        flag = "--db" if setting.name == "database_url" else f"--{setting.name.replace('_', '-')}"
        limits = f" {setting.least} to {setting.most}." if setting.least is not None else ""
        default = "" if setting.default is None else str(setting.default).lower()
        environment = f"TRACKER_{setting.name.upper()}"
        rows.append(
            f"| `{setting.name}` | `{flag}` | `{environment}` | {setting.about}{limits} | {default} |\n"
        )
    golden("../docs/settings.md", HEADING + "".join(rows))
