"""Cells: a campaign goes from one database to another, whole, while people write, and wherever the move dies."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON, report
from receiver import receiving
from served import TOKEN, Club, OneToken, Served
from starlette.testclient import TestClient

from tracker import schema
from tracker.campaign import records
from tracker.log import database
from tracker.server import change_watcher
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.live import LiveStreams
from tracker.server.metrics import Metrics
from tracker.server.threads import Threads
from tracker.server.webhook_poster import WebhookPoster
from tracker.service import cells, fences, webhook_client
from tracker.service.application import Tracker
from tracker.service.cells import STEPS, MoveOvertaken
from tracker.service.command_handler import CommandWithDice
from tracker.service.fences import CampaignHeld, CampaignMoved

AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")


class Killed(Exception):
    """The mover is gone."""


class Host:
    """A home database with a second cell."""

    def __init__(self, table: Arbitrator, second: str) -> None:
        self.table = table
        self.home = Tracker(f"sqlite:///{table.file}", actor="host")
        self.home.cells.add("west", second)
        self.campaign = self.home.directory.campaign_id("ash-wastes")

    def begun_again(self) -> Tracker:
        """The host's program, started anew."""
        self.home.close()
        self.home = Tracker(f"sqlite:///{self.table.file}", actor="host")
        return self.home

    def keeper(self) -> Tracker:
        """Where the campaign may be written to, as a service finds it."""
        return self.home.cells.tracker(self.home.cells.settle(self.campaign))

    def award(self, tracker: Tracker, key: str) -> None:
        command = records.AwardExperience(fighter="krug", amount=1, reason="held on")
        tracker.commands.play(self.campaign, [CommandWithDice(command=command)], key=key)

    def log(self, tracker: Tracker) -> list[bytes]:
        return [event.body for event in tracker.repository.store.read(self.campaign)]


@pytest.fixture(params=["sqlite", "postgresql"])
def host(request: pytest.FixtureRequest, table: Arbitrator, tmp_path: Path) -> Iterator[Host]:
    if request.param == "sqlite":
        second = f"sqlite:///{tmp_path / 'west.db'}"
    else:
        second = request.getfixturevalue("postgres_at_head")
    made = Host(table, second)
    yield made
    made.home.close()


@pytest.fixture
def sqlite_host(table: Arbitrator, tmp_path: Path) -> Iterator[Host]:
    made = Host(table, f"sqlite:///{tmp_path / 'west.db'}")
    yield made
    made.home.close()


def test_a_campaign_moves_whole_and_goes_on_there(host: Host) -> None:
    before = host.log(host.home)
    moved = host.home.cells.move(host.campaign, "west")
    assert (moved.source, moved.target, moved.events) == ("home", "west", len(before))
    west = host.keeper()
    assert west is not host.home
    assert host.log(west) == before
    assert west.audit.verify(host.campaign, whole_database=False).ok
    host.award(west, "after")
    assert len(host.log(west)) > len(before)
    with pytest.raises(CampaignMoved):
        host.award(host.home, "at the old place")
    assert host.log(host.home) == before


def test_a_campaign_moves_back_with_what_was_recorded_in_the_other_cell(host: Host) -> None:
    host.home.cells.move(host.campaign, "west")
    host.award(host.keeper(), "in the west")
    there = host.log(host.keeper())
    host.home.cells.move(host.campaign, "home")
    assert host.keeper() is host.home
    assert host.log(host.home) == there
    host.award(host.home, "at home")
    host.home.cells.move(host.campaign, "west")
    host.award(host.keeper(), "there and back")
    assert host.keeper().audit.verify(host.campaign, whole_database=False).ok


@pytest.mark.parametrize("died_after", STEPS)
def test_a_move_that_dies_at_any_step_loses_nothing(
    sqlite_host: Host, died_after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loses_nothing(sqlite_host, died_after, monkeypatch)


@pytest.mark.parametrize("died_after", ["followed", "given away"])
def test_a_move_to_postgresql_that_dies_around_the_step_that_decides_loses_nothing(
    table: Arbitrator, postgres_at_head: str, died_after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(table, postgres_at_head)
    loses_nothing(host, died_after, monkeypatch)
    host.home.close()


def loses_nothing(host: Host, died_after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(step: str) -> None:
        # Somebody writes after every step but while writers are held off, and learns where to.
        if step == died_after:
            raise Killed
        if STEPS.index(step) < STEPS.index("held"):
            host.award(host.home, f"during {step}")

    with pytest.raises(Killed):
        host.home.cells.move(host.campaign, "west", done=die)
    given_away = STEPS.index(died_after) >= STEPS.index("given away")
    home = host.begun_again()
    acknowledged = host.log(home)
    if died_after in ("held", "followed"):
        with pytest.raises(CampaignHeld):
            host.award(home, "while it is held")
        monkeypatch.setattr(home.repository, "_clock", lambda: "2999-01-01T00:00:00Z")
    keeper = host.keeper()
    assert (keeper is home) == (not given_away)
    host.award(keeper, "after the death")
    assert host.log(keeper)[: len(acknowledged)] == acknowledged
    host.begun_again().cells.move(host.campaign, "west")
    west = host.keeper()
    assert west is not host.home
    log = host.log(west)
    assert log[: len(acknowledged)] == acknowledged
    host.award(west, "after the death")  # under the same key: it was recorded once
    assert host.log(west) == log
    assert west.audit.verify(host.campaign, whole_database=False).ok


def test_a_move_whose_fence_expired_hands_over_nothing(sqlite_host: Host) -> None:
    """Its fence was over, and somebody wrote: what they wrote is kept where they wrote it."""
    host = sqlite_host

    def sleep(step: str) -> None:
        if step == "followed":
            other = Tracker(f"sqlite:///{host.table.file}", actor="x", clock=lambda: "2999-01-01T00:00:00Z")
            host.award(other, "meanwhile")
            other.close()

    with pytest.raises(MoveOvertaken):
        host.home.cells.move(host.campaign, "west", done=sleep)
    assert host.keeper() is host.home
    before = host.log(host.home)
    host.home.cells.move(host.campaign, "west")
    assert host.log(host.keeper()) == before


def test_a_constant_writer_loses_nothing_and_repeats_nothing_during_a_move(sqlite_host: Host) -> None:
    host, stop, kept = sqlite_host, threading.Event(), []

    def write() -> None:
        mine = Tracker(f"sqlite:///{host.table.file}", actor="x")
        number = 0
        while not stop.is_set():
            key = f"award {number}"
            try:
                host.award(mine.cells.keeping(host.campaign), key)
            except CampaignHeld:
                time.sleep(0.005)
                continue
            except CampaignMoved:
                mine.cells.settle(host.campaign)
                continue
            kept.append(key)
            number += 1
        mine.close()

    writer = threading.Thread(target=write)
    writer.start()
    while len(kept) < 3:
        assert writer.is_alive()
        time.sleep(0.005)
    moved = host.home.cells.move(host.campaign, "west")
    enough = len(kept) + 3
    while len(kept) < enough:
        assert writer.is_alive()
        time.sleep(0.005)
    stop.set()
    writer.join()
    assert moved.seconds_held < cells.HELD.total_seconds()
    west = host.keeper()
    with database.reading(west.engine) as connection:
        assert fences.fence_of(connection, host.campaign) is None
    for key in kept:
        assert west.repository.store.find_command(host.campaign, key) is not None, key
    assert west.audit.verify(host.campaign, whole_database=False).ok


def test_a_lost_directory_is_put_right_by_the_fences(sqlite_host: Host) -> None:
    host = sqlite_host
    host.home.cells.move(host.campaign, "west")
    with database.writing(host.home.engine) as connection:
        connection.exec_driver_sql("DELETE FROM host_directory")
    assert host.home.cells.settle(host.campaign) == "west"
    assert host.home.cells.cell_of(host.campaign) == "west"


# --- the command line ---------------------------------------------------------------------------------------


def test_a_host_adds_a_cell_and_moves_a_campaign(table: Arbitrator, tmp_path: Path) -> None:
    west = str(tmp_path / "west.db")
    table.done("host", "cell", "add", "west", west)
    roster = table.done("roster", "show").out
    assert "went from home to west" in table.done("host", "move", "ash-wastes", "west").out
    assert "in west already" in table.done("host", "move", "ash-wastes", "west").out
    counted = {row["cell"]: row["campaigns"] for row in table.read("host", "cell", "list")["cells"]}
    assert counted == {"home": 0, "west": 1}
    for words in (("roster", "show"), AWARD):
        said = table(*words)
        assert (said.code, said.out) == (3, "")
        assert "now in the cell west" in said.err
    assert table("roster", "show", db=west).out == roster
    assert table(*AWARD, db=west).code == 0
    table.done("host", "move", "ash-wastes", "home")
    table.done(*AWARD)


@pytest.mark.parametrize("name", ["home", "West", "", "a b", "x" * 41, "../x"])
def test_a_cells_name_is_a_word(table: Arbitrator, tmp_path: Path, name: str) -> None:
    table.refused(2, "host", "cell", "add", name, str(tmp_path / "west.db"))


def test_slips_are_refused_with_a_hint(table: Arbitrator, tmp_path: Path) -> None:
    assert "no cell 'wets'" in table.refused(2, "host", "move", "ash-wastes", "wets")
    table.done("host", "cell", "add", "west", str(tmp_path / "west.db"))
    assert "already" in table.refused(2, "host", "cell", "add", "west", str(tmp_path / "west.db"))
    assert "Did you mean 'west'" in table.refused(2, "host", "move", "ash-wastes", "wets")
    table.refused(2, "host", "move", "nowhere", "west")


def test_a_password_of_a_cell_is_shown_to_nobody(table: Arbitrator, postgres_at_head: str) -> None:
    secret = postgres_at_head.replace("postgres@", "postgres:canary@")
    said = [table("host", "cell", "add", "west", secret), table("host", "cell", "list")]
    assert [ran.code for ran in said] == [0, 0], said
    assert "canary" not in "".join(ran.out + ran.err for ran in said)


def test_what_counts_over_all_campaigns_counts_each_in_its_cell(table: Arbitrator, tmp_path: Path) -> None:
    west = str(tmp_path / "west.db")
    table.done("campaign", "new", "Sump City")
    table.done("host", "cell", "add", "west", west)
    table.done("host", "move", "ash-wastes", "west")
    home, there = (Tracker(f"sqlite:///{file}", actor="x") for file in (table.file, west))
    assert [*home.directory.campaigns_kept()] == ["sump-city"]
    assert [*there.directory.campaigns_kept()] == ["ash-wastes"]
    for tracker in (home, there):
        tracker.close()


# --- the service --------------------------------------------------------------------------------------------


@pytest.fixture
def moved_club(table: Arbitrator, tmp_path: Path) -> Iterator[Club]:
    """A service whose campaign is in another cell; its people are at home."""
    table.done("host", "cell", "add", "west", str(tmp_path / "west.db"))
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker))) as client:
        club = Club(client, tracker)
        tracker.cells.move(club.campaign, "west")
        yield club
    tracker.close()


def test_the_service_finds_a_campaign_in_its_cell(moved_club: Club) -> None:
    club = moved_club
    before = club.ask("Mara", "GET", "").headers["ETag"]
    assert club.ask("Dana", "GET", "/roster").status_code == 200
    assert club.ask("Nobody", "GET", "/roster").status_code == 404
    renamed = club.ask("Dana", "POST", "/fighters/krug/rename", json={"name": "Old Krug"})
    assert renamed.status_code == 200, renamed.text
    assert club.ask("Dana", "POST", "/fighters/quill/rename", json={"name": "X"}).status_code == 409
    assert club.ask("Mara", "GET", "").headers["ETag"] != before
    newest = club.ask("Mara", "GET", "/log").json()["entries"][-1]
    assert newest["actor_name"] == "Dana", "people are known in every cell"
    batch = {"Accept": "application/cloudevents-batch+json"}
    headers = {"Authorization": f"Bearer {club.tokens['Mara']}", **batch}
    events = club.client.get("/v1/campaigns/ash-wastes/events", headers=headers).json()
    assert events[-1]["type"] == "arbitrator.FighterRenamed"
    assert club.ask("Mara", "GET", "/archive").status_code == 200


def test_a_battle_recorded_in_a_cell_is_posted_from_there(moved_club: Club) -> None:
    club = moved_club
    hook = {"url": "https://club.example/x", "kind": "json", "events": ["battles"]}
    assert club.ask("Mara", "POST", "/webhooks", json=hook).status_code == 200
    assert club.ask("Mara", "POST", "/battles", content=SEASON[2]).status_code == 200
    west = club.tracker.cells.tracker("west")
    assert len(west.outbox.due()) == 1
    assert club.tracker.outbox.due() == ()
    club.tracker.cells.move(club.campaign, "home")
    assert len(club.tracker.outbox.due()) == 1
    assert west.outbox.due() == ()
    assert len(club.ask("Mara", "GET", "/webhooks").json()["webhooks"]) == 1


def sent_in(club: Club, battle: str) -> str:
    """A report of Dana's, which nobody has confirmed."""
    entry = "experience: {fighter: krug, amount: 1, reason: held on}"
    text = report(battle, entry, gangs="[iron-skulls, gilded-cage]", result="draw: true")
    answer = club.ask("Dana", "POST", "/proposals", content=text)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["proposal"])


def confirmed_and_taken_in(club: Club, proposal: str) -> None:
    (waiting,) = club.ask("Sol", "GET", "/proposals").json()["proposals"]
    assert (waiting["proposal"], waiting["made_by_name"]) == (proposal, "Dana")
    confirmed = club.ask("Robin", "POST", f"/proposals/{proposal}/confirm", json={})
    assert confirmed.json().get("unconfirmed") == [], confirmed.text
    taken = club.ask("Mara", "POST", f"/proposals/{proposal}/take-in", json={})
    assert taken.status_code == 200, taken.text
    assert club.ask("Sol", "GET", "/proposals").json()["proposals"] == []


def test_what_is_proposed_goes_along_with_a_campaign_and_is_recorded_where_it_is(club: Club) -> None:
    """Proposals stay at home, as people do."""
    people, cells_of = club.tracker.people, club.tracker.cells
    robin = club.people["Robin"] = people.add("Robin")
    people.join(club.campaign, robin.person, role="player", gangs=("gilded-cage",))
    club.tokens["Robin"] = people.tokens.new(robin.person, label="tests", scope="write").secret
    cells_of.add("west", f"sqlite:///{club.tracker.engine.url.database}-west")
    first = sent_in(club, "night")
    cells_of.move(club.campaign, "west")
    left_behind = club.tracker.repository.store.head(club.campaign).size
    confirmed_and_taken_in(club, first)
    assert club.ask("Mara", "GET", "/battles/night").status_code == 200
    second = sent_in(club, "dawn")
    assert club.tracker.repository.store.head(club.campaign).size == left_behind
    header = cells_of.tracker("west").boards.battle(club.campaign, "night").entries[0][0].event
    assert isinstance(header, records.DecisionTaken)
    assert header.sent is not None
    assert header.sent.agreed == records.Agreed(
        proposed_by=club.people["Dana"].person, confirmed_by=(robin.person,)
    )
    cells_of.move(club.campaign, "home")
    confirmed_and_taken_in(club, second)
    assert club.tracker.audit.verify(club.campaign, whole_database=False).ok


def test_a_draft_goes_along_with_a_campaign(club: Club) -> None:
    club.tracker.cells.add("west", f"sqlite:///{club.tracker.engine.url.database}-west")
    draft = club.ask("Dana", "POST", "/drafts", json={"kind": "battle"}).json()["draft"]["draft"]

    def answered(answer: str, revision: int) -> str:
        body = {"answer": answer, "revision": revision}
        said = club.ask("Dana", "POST", f"/drafts/{draft}/answer", json=body)
        assert said.status_code == 200, said.text
        return str(said.json()["question"]["key"])

    club.tracker.cells.move(club.campaign, "west")
    assert answered("night", 1) == "scenario"
    assert [row["draft"] for row in club.ask("Mara", "GET", "/drafts").json()["drafts"]] == [draft]
    club.tracker.cells.move(club.campaign, "home")
    assert club.ask("Mara", "GET", f"/drafts/{draft}").json()["draft"]["revision"] == 2
    answered("Sump Raid", 2)


def test_a_request_that_comes_while_the_campaign_is_held_waits(
    moved_club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, came = moved_club, []

    def ask() -> None:
        came.append(club.ask("Dana", "POST", "/fighters/krug/rename", json={"name": "Old Krug"}))

    asking = threading.Thread(target=ask)

    def step(name: str) -> None:
        if name == "held":
            asking.start()
            asking.join(0.5)
            assert asking.is_alive(), "it waits"

    club.tracker.cells.move(club.campaign, "home", done=step)
    asking.join(20)
    assert came[0].status_code == 200, came[0].text
    assert club.tracker.directory.campaign_id("ash-wastes") == club.campaign
    assert club.tracker.boards.log(club.campaign, find=lambda _state: None).rows[-1]["command"]


DISPUTE = {"event": "10.2", "reason": "it was cocked", "key": "once"}


def test_a_form_that_comes_while_the_campaign_is_held_waits_and_is_recorded_once(moved_club: Club) -> None:
    club, came = moved_club, []
    browser = club.browser("Mara")

    def send() -> None:
        came.append(browser.post("/campaigns/ash-wastes/disputes", data=DISPUTE))

    sending = threading.Thread(target=send)

    def step(name: str) -> None:
        if name == "held":
            sending.start()
            sending.join(0.5)
            assert sending.is_alive(), "it waits"

    club.tracker.cells.move(club.campaign, "home", done=step)
    sending.join(20)
    assert came[0].status_code == 303, came[0].text
    assert len(club.ask("Dana", "GET", "/disputes").json()["disputes"]) == 1


def test_a_form_keeps_what_was_typed_where_the_campaign_is_held_for_long(
    moved_club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.server.routing.HELD_SECONDS", 0.0)
    club = moved_club

    def dies(name: str) -> None:
        if name == "held":
            raise Killed

    with pytest.raises(Killed):
        club.tracker.cells.move(club.campaign, "home", done=dies)
    page = club.browser("Mara").post("/campaigns/ash-wastes/disputes", data=DISPUTE)
    assert page.status_code == 503, page.text
    assert "takes no entries for some seconds" in page.text
    assert "Nothing was written" in page.text
    assert "it was cocked" in page.text


def test_boards_are_read_on_a_standby_that_has_caught_up(
    table: Arbitrator, served: Served, tmp_path: Path
) -> None:
    """A copied file stands for the replica: it has what was there when it was copied."""
    import shutil

    west, replica = tmp_path / "west.db", tmp_path / "replica.db"
    home = Tracker(f"sqlite:///{table.file}", actor="x")
    table("db", "upgrade", db=str(west))
    table("db", "upgrade", db=str(replica))
    home.cells.add("west", f"sqlite:///{west}", standby=f"sqlite:///{replica}")
    campaign = home.directory.campaign_id("ash-wastes")
    home.cells.move(campaign, "west")
    shutil.copy(west, replica)
    size = home.cells.tracker("west").repository.store.head(campaign).size
    assert str(replica) in str(home.cells.reading(campaign, size).engine.url)
    assert str(west) in str(home.cells.reading(campaign, size + 1).engine.url), "it has not caught up"
    assert str(west) in str(home.cells.reading(campaign, None).engine.url), "nobody says what they saw"
    home.close()


def test_who_listens_in_a_cell_hears_by_notice_of_a_process_in_which_nobody_does(
    table: Arbitrator, postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The poll is slower than this test may take."""
    monkeypatch.setattr(change_watcher, "POLL_SECONDS", 600.0)
    notified, notify = [], change_watcher.ChangeWatcher._notify

    def telling(watcher: change_watcher.ChangeWatcher) -> None:
        notified.append(watcher._engine.dialect.name)
        notify(watcher)

    monkeypatch.setattr(change_watcher.ChangeWatcher, "_notify", telling)
    host = Host(table, postgres_at_head)
    host.home.cells.move(host.campaign, "west")
    size = host.keeper().repository.store.head(host.campaign).size

    async def heard() -> list[bytes]:
        listener = Tracker(f"sqlite:///{table.file}", actor="listener")
        here, there = (Threads(is_sqlite=True, waiting=Metrics().waiting) for _ in range(2))
        live = LiveStreams(listener, here, listeners=Metrics().listeners)
        writing = LiveStreams(host.home, there, listeners=Metrics().listeners)
        got: list[bytes] = []

        async def listen() -> None:
            async for piece in live.stream(host.campaign, size - 1, still=lambda: True):
                got.append(piece)
                if piece.startswith(b"id: %d\n" % (size + 1)):
                    live.stop()

        listening = asyncio.create_task(listen())
        while len(got) < 2:  # it has all that stands, and waits
            await asyncio.sleep(0.01)
        host.award(host.keeper(), "award")
        while not (listening.done() and notified):  # the listener's session may still be on its way
            writing.moved(host.campaign)
            await asyncio.sleep(0.1)
        writing.stop()
        for threads in (here, there):
            threads.close()
        listener.close()
        return got

    pieces = asyncio.run(asyncio.wait_for(heard(), 30))
    host.home.close()
    assert pieces[2].startswith(b"id: %d\n" % (size + 1))
    assert {*notified} == {"postgresql"}


# --- a cell that is down ------------------------------------------------------------------------------------


def test_a_cell_that_is_down_leaves_the_others_alone(
    table: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.done("campaign", "new", "Sump City")
    table.done("host", "cell", "add", "west", str(tmp_path / "west.db"))
    table.done("host", "move", "sump-city", "west")
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with database.writing(tracker.engine) as connection:
        nobody = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"
        connection.execute(schema.host_cells.update().values(url=nobody))
    asked: list[str] = []
    opens = Tracker.of_cell
    monkeypatch.setattr(
        Tracker, "of_cell", lambda *given, **how: asked.append("asked") or opens(*given, **how)
    )
    with TestClient(application(tracker, OneToken(tracker, TOKEN, "mara"))) as client:
        served = Served(client)
        for _ in range(3):
            down = served.get("/v1/campaigns/sump-city")
            assert (down.status_code, down.json()["code"]) == (503, "cell_down"), down.text
            assert down.headers["Retry-After"] == "3"
        assert asked == ["asked"], "it is not waited for again at once"
        body = {"command": "campaign show", "words": [], "campaign": "sump-city"}
        assert served.ask("POST", "/v1/command-line", json=body).status_code == 503
        assert served.get("/roster").status_code == 200
        assert served.post("/fighters/krug/rename", json={"name": "Old Krug"}).status_code == 200
    tracker.close()


def test_what_waits_in_other_cells_is_posted_while_one_is_down(
    table: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with database.writing(tracker.engine) as connection:
        row = {"cell": "a-first", "url": "postgresql+psycopg://x@127.0.0.1:1/x", "made_at": "2026"}
        connection.execute(schema.host_cells.insert(), row)
    with receiving() as receiver:
        monkeypatch.setenv(webhook_client.ALLOWED, "127.0.0.1")
        table.done("webhook", "add", receiver.url, "--kind", "json")
        table.record(SEASON[2])
        assert WebhookPoster(tracker).once().posted == 1
    tracker.close()


def test_a_standby_that_is_down_is_done_without(table: Arbitrator, tmp_path: Path) -> None:
    west = tmp_path / "west.db"
    home = Tracker(f"sqlite:///{table.file}", actor="x")
    home.cells.add("west", f"sqlite:///{west}")
    with database.writing(home.engine) as connection:
        connection.execute(schema.host_cells.update().values(standby="postgresql://x@127.0.0.1:1/x"))
    campaign = home.directory.campaign_id("ash-wastes")
    home.cells.move(campaign, "west")
    assert str(west) in str(home.cells.reading(campaign, 1).engine.url)
    home.close()


def test_nobody_confirms_their_own_roll_in_a_cell_either(moved_club: Club) -> None:
    club = moved_club
    recorded = club.ask("Mara", "POST", "/battles", content=SEASON[2])
    assert recorded.status_code == 200, recorded.text
    entries = club.ask("Mara", "GET", "/log?type=RollMade").json()["events"]
    newest = entries[-1]["address"]
    refused = club.ask("Mara", "POST", f"/log/{newest}/confirm", json={"by": "Mara"})
    assert refused.status_code == 409, refused.text
    assert club.ask("Dana", "POST", f"/log/{newest}/confirm", json={"by": "Dana"}).status_code == 200
