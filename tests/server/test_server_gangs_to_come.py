"""A player who was invited to begin a gang begins one: not two, however fast they are and wherever it breaks."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from cli_arbitrator import Arbitrator, begin_anew
from cli_reports import GANG_SHEETS
from served import Club
from starlette.testclient import TestClient

from tracker.people.records import GANG_TO_COME
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker
from tracker.service.people import People


def sheet(number: int) -> bytes:
    """Another gang, whose fighters are others, too."""
    text = GANG_SHEETS[0].read_text(encoding="utf-8")
    return re.sub(
        r"\bid: ([a-z-]+)", rf"id: \1-{number}", re.sub(r"(?m)^gang: .*$", f"gang: rats-{number}", text)
    ).encode()


def newcomer(tracker: Tracker, campaign: str, name: str) -> str:
    """The token of somebody who is to begin a gang."""
    person = tracker.people.add(name).person
    tracker.people.join(campaign, person, role="player", gangs=(GANG_TO_COME,))
    return str(tracker.people.tokens.new(person, label="tests", scope="write").secret)


def enlisted(client: TestClient, token: str, number: int) -> Any:
    headers = {"Authorization": f"Bearer {token}", "If-Match": "*"}
    return client.post("/v1/campaigns/ash-wastes/gangs", content=sheet(number), headers=headers)


def test_the_first_gang_is_theirs_and_the_second_is_refused(club: Club) -> None:
    token = newcomer(club.tracker, club.campaign, "Zoe")
    first, second = (enlisted(club.client, token, number) for number in (1, 2))
    assert first.status_code == 200, first.text
    assert (second.status_code, second.json()["code"]) == (409, "not_allowed")
    assert [gang["gang"] for gang in club.ask("Mara", "GET", "/gangs").json()["gangs"]].count("rats-1") == 1


def waits_for_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody goes on before both have looked what they may."""
    both = Barrier(2, timeout=20)
    allow = MemberAccess.allow

    def looked(access: MemberAccess, *asked: Any) -> Any:
        allowed = allow(access, *asked)
        both.wait()
        return allowed

    monkeypatch.setattr(MemberAccess, "allow", looked)


@pytest.mark.postgres
def test_of_two_gangs_begun_at_the_same_moment_through_two_workers_one_is_enlisted(
    postgres_at_head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(OnPostgres(tmp_path, postgres_at_head))
    workers = [Tracker(postgres_at_head, actor="the machine") for _ in range(2)]
    campaign = workers[0].directory.campaign_id("ash-wastes")
    token = newcomer(workers[0], campaign, "Zoe")
    before = len(workers[0].repository.state(campaign).gangs)
    waits_for_the_other(monkeypatch)
    with ExitStack() as served, ThreadPoolExecutor(2) as pool:
        clients = [served.enter_context(TestClient(application(one, MemberAccess(one)))) for one in workers]
        answers = list(pool.map(lambda asked: enlisted(asked[1], token, asked[0]), enumerate(clients)))
    assert sorted(answer.status_code for answer in answers) == [200, 409], [answer.text for answer in answers]
    fresh = Tracker(postgres_at_head, actor="the machine")
    assert len(fresh.repository.state(campaign).gangs) == before + 1
    for one in (*workers, fresh):
        one.close()


class OnPostgres(Arbitrator):
    """The command line on that database."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self.url = url

    def where(self, db: str | None) -> list[str]:
        return ["--db", db or self.url]


def test_what_is_not_kept_gives_nobody_a_gang(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gang and whose it is are kept together: a server that dies between the two has kept neither."""
    token = newcomer(club.tracker, club.campaign, "Zoe")
    before = club.ask("Mara", "GET", "").headers["ETag"]
    bring = People.bring_gangs

    def dies(*asked: Any) -> None:
        bring(*asked)
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(People, "bring_gangs", dies)
        with pytest.raises(MemoryError):
            enlisted(club.client, token, 1)
    assert club.ask("Mara", "GET", "").headers["ETag"] == before
    answer = enlisted(club.client, token, 2)
    assert answer.status_code == 200, answer.text
