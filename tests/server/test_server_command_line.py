"""The command line from afar prints what it prints on the machine that keeps the campaign."""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import uvicorn
from afar import Afar
from cli_arbitrator import Arbitrator
from cli_reports import GANG_SHEETS, SEASON
from served import TOKEN, Club

from tracker.cli import remote
from tracker.cli.main import arbitrator as root
from tracker.cli.relayed_wizard import WIZARDS
from tracker.cli.session import RemoteService, data_folder
from tracker.server.command_line import SERVED

WOUND_ROLL = "10.2"
ASKED = (
    ("campaign", "show"),
    ("campaign", "list"),
    ("roster", "show"),
    ("roster", "show", "--json"),
    ("roster", "show", "krug", "--as-of-battle", "1"),
    ("roster", "show", "--format", "csv"),
    ("roster", "show", "nobody"),
    ("roster", "show", "nobody", "--json"),
    ("roster", "show", "--as-of-battle", "1", "--as-of-entry", "3"),
    ("roster", "shwo"),
    ("roster", "show", "--frmat", "csv"),
    ("-c", "sump", "roster", "show"),
    ("roster", "show", "-c", "ash-wastes"),
    ("standings", "show"),
    ("battle", "show", "2"),
    ("battle", "show", "2", "--format", "discord"),
    ("log", "show"),
    ("log", "entry", "10"),
    ("explain", "krug", "xp"),
    ("dispute", "preview", WOUND_ROLL, "--void"),
    ("dispute", "rule", WOUND_ROLL, "--void", "--reason", "cocked"),
    ("audit", "verify"),
    ("policy", "what-if", "one-lasting-injury-roll"),
    ("rules", "list"),
    ("fighter", "show", "krug", "--format", "html"),
)


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_the_same_words_are_answered_the_same(
    afar: Afar, table: Arbitrator, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    there = afar(*words)
    monkeypatch.delenv("TRACKER_SERVICE")
    assert there == table(*words)


def test_a_file_of_this_machine_is_sent_along(afar: Afar, table: Arbitrator) -> None:
    file = afar.folder / "third.yaml"
    file.write_text(SEASON[2], encoding="utf-8")
    assert "battle" in afar.done("battle", "record", str(file)).out
    assert len(table.read("battle", "list")["battles"]) == 3
    assert "nothing new was written" in afar.done("battle", "record", "-", stdin=SEASON[2]).out


@pytest.mark.parametrize("held", ["no base64!", "YQ", "é"])
def test_a_file_that_cannot_be_read_is_a_mistake_of_who_sends_it(club: Club, held: str) -> None:
    line = {"command": "gang add", "words": ["a.yaml"], "campaign": "ash-wastes", "files": {"a.yaml": held}}
    refused = club.ask("Mara", "POST", "/v1/command-line", json=line)
    assert refused.status_code == 422, refused.text
    assert "a file is no base64" in refused.json()["detail"]


def test_a_file_that_is_not_here_is_refused_before_anything_is_sent(afar: Afar) -> None:
    ran = afar("battle", "record", "nowhere.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere.yaml" in ran.err
    assert not [path for path, _ in afar.sent if path == "/v1/command-line"]


def test_a_lost_answer_is_asked_for_again_and_recorded_once(
    afar: Afar, table: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []

    def connected(service: RemoteService, path: str, body: bytes | None) -> tuple[int, Any]:
        answer = afar.connected(service, path, body)
        if path == "/v1/command-line" and len(lost) < 2:
            lost.append(path)
            raise OSError("the train went into a tunnel")
        return answer

    monkeypatch.setattr("tracker.cli.remote.connected", connected)
    monkeypatch.setattr("time.sleep", lambda _: None)
    before = table.read("campaign", "show", "--json")["entries"]
    assert afar("fighter", "rename", "krug", "--name", "Old Krug").code == 0
    assert len(lost) == 2
    assert table.read("campaign", "show", "--json")["entries"] == before + 1


def test_a_service_that_does_not_answer_is_named(afar: Afar, monkeypatch: pytest.MonkeyPatch) -> None:
    def connected(_service: RemoteService, _path: str, _body: bytes | None) -> tuple[int, Any]:
        raise OSError("connection refused")

    monkeypatch.setattr("tracker.cli.remote.connected", connected)
    monkeypatch.setattr("time.sleep", lambda _: None)
    ran = afar("roster", "show")
    assert (ran.code, ran.out) == (3, "")
    assert "https://club.example does not answer (connection refused)" in " ".join(ran.err.split())


def test_an_expired_token_is_reported(afar: Afar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACKER_TOKEN", "trk_old")
    assert "sign in again" in afar.refused(2, "roster", "show")


def test_signing_in_chooses_the_campaigns_of_the_service_until_signing_out(
    afar: Afar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRACKER_SERVICE")
    said = afar.done("login", "https://club.example/", stdin=f"{TOKEN}\n").out
    assert "Campaigns there: ash-wastes." in " ".join(said.split())
    kept = Path(str(data_folder())) / "service.json"
    assert kept.stat().st_mode & 0o077 == 0
    assert "Iron Skulls" in afar.done("gang", "list").out
    afar.done("campaign", "use", "ash-wastes")
    afar.done("logout")
    assert not kept.exists()
    assert "There is no campaign yet" in afar("gang", "list").err


@pytest.mark.parametrize("url", ["http://club.example", "ftp://club.example", "club.example", "https://"])
def test_a_token_is_sent_to_nobody_in_clear(afar: Afar, url: str) -> None:
    assert "not the address of a service" in afar.refused(2, "login", url, stdin=TOKEN)
    assert not afar.sent


def test_a_campaign_is_begun_there_and_chosen_here(afar: Afar, table: Arbitrator) -> None:
    afar.done("campaign", "new", "Sump City")
    assert "sump-city" in {row["slug"] for row in table.read("campaign", "list")["campaigns"]}
    afar.done("gang", "add", str(GANG_SHEETS[0]))
    assert len(table.read("-c", "sump-city", "gang", "list")["gangs"]) == 1


def test_files_of_the_service_are_nobody_elses(afar: Afar, tmp_path: Path) -> None:
    shutil.copy(GANG_SHEETS[0], tmp_path / "secret.yaml")
    request = {
        "command": "gang add",
        "words": ["--", str(tmp_path / "secret.yaml")],
        "campaign": "ash-wastes",
    }
    answer = afar.client.post("/v1/command-line", json=request, headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.json()["refused"]["code"] == "file_missing"


@pytest.mark.parametrize(
    "command", ["db backup", "serve", "boards rebuild", "login", "doctor", "battle play", "nope"]
)
def test_what_is_for_the_machine_is_not_run_from_afar(afar: Afar, command: str) -> None:
    request = {"command": command, "words": ["--", "/x"], "campaign": "ash-wastes"}
    answer = afar.client.post("/v1/command-line", json=request, headers={"Authorization": f"Bearer {TOKEN}"})
    assert "does not run remotely" in answer.json()["misused"]


@pytest.mark.parametrize("option", [["--db", "x.db"], ["--as", "somebody"], ["-c", "sump"]])
def test_caller_and_campaign_are_found_in_the_request(afar: Afar, option: list[str]) -> None:
    request = {"command": "roster show", "words": option, "campaign": "ash-wastes"}
    answer = afar.client.post("/v1/command-line", json=request, headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.json()["refused"]["code"] == "not_from_afar"


def test_every_command_is_run_there_or_here() -> None:
    def leaves(command: click.Command, *path: str) -> list[str]:
        if not isinstance(command, click.Group):
            return [" ".join(path)]
        context = click.Context(command)
        below = ((name, command.get_command(context, name)) for name in command.list_commands(context))
        return [leaf for name, one in below if one is not None for leaf in leaves(one, *path, name)]

    for name in leaves(root):
        assert (name in SERVED or name in WIZARDS) != remote.is_here(name), name


def test_what_a_ruling_newly_calls_for_is_sent_along(
    afar: Afar, table: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    (afar.folder / "also.yaml").write_text("format: battle-continued/1\nentries: []\n", encoding="utf-8")
    words = ("dispute", "preview", WOUND_ROLL, "--void", "--also", "10", str(afar.folder / "also.yaml"))
    there = afar(*words)
    monkeypatch.delenv("TRACKER_SERVICE")
    assert there == table(*words)


@pytest.fixture
def listening(club: Club) -> Iterator[str]:
    """The address of that service on a real socket."""
    server = uvicorn.Server(uvicorn.Config(club.client.app, port=0, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    (port,) = {socket.getsockname()[1] for one in server.servers for socket in one.sockets}
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def test_a_link_signs_in_over_a_real_connection(table: Arbitrator, club: Club, listening: str) -> None:
    mara = club.people["Mara"].person
    link = club.tracker.people.invites.new(club.campaign, role="player", gangs=("iron-skulls",), by=mara)
    zoe = Afar(table.folder)
    said = zoe.done("login", f"{listening}/join/{link.secret}", "--name", "Zoe").out
    assert "as Zoe. Campaigns there: ash-wastes." in " ".join(said.split())
    zoe.done("fighter", "rename", "krug", "--name", "Old Krug")
    assert "Old Krug" in table.done("roster", "show").out
    assert "not yours" in " ".join(zoe("fighter", "rename", "quill", "--name", "Q").err.split())
    zoe.done("logout")
