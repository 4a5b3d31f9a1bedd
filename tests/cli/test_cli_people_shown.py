"""Who did it: the log keeps a person's id, reports show the name of that day, and forgetting breaks no proof."""

from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON

from tracker.people.records import FORMER_PLAYER
from tracker.service.application import Tracker


@pytest.fixture
def played(season: Arbitrator) -> tuple[Arbitrator, str]:
    """A season in which Robin disputed and ruled, and is called otherwise since."""
    with opened(season) as tracker:
        robin = tracker.people.add("Zenobia").person
    season.done("--as", robin, "dispute", "open", "9.3", "--reason", "cocked")
    season.done(
        "--as", robin, "dispute", "rule", "13", "--confirm", "--force", "nobody minds", "--reason", "seen"
    )
    season.done("--as", robin, "policy", "adopt", "one-lasting-injury-roll@1", "--reason", "voted")
    with opened(season, at="2199-01-01T00:00:00Z") as tracker:
        tracker.people.rename(robin, "Zenobia the Red")
    return season, robin


class opened:  # noqa: N801  # reads as a word
    """The service on a campaign's file, at a time if need be."""

    def __init__(self, season: Arbitrator, *, at: str | None = None) -> None:
        self._tracker = Tracker(
            f"sqlite:///{season.file}", actor="arbitrator", clock=None if at is None else lambda: at
        )

    def __enter__(self) -> Tracker:
        return self._tracker

    def __exit__(self, *_: object) -> None:
        self._tracker.close()


PAGES = (
    ("log", "show"),
    ("log", "entry", "13"),
    ("log", "show", "--type", "RollDisputed"),
    ("dispute", "list"),
    ("dispute", "show", "13"),
    ("policy", "history"),
    ("audit", "report"),
    ("audit", "report", "--format", "md"),
)


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_every_page_shows_the_name_of_the_day_and_no_id(
    played: tuple[Arbitrator, str], words: tuple[str, ...]
) -> None:
    season, robin = played
    shown = season.done(*words).out
    assert "Zenobia" in shown
    assert "the Red" not in shown, "a name of later"
    assert robin not in shown


def test_json_keeps_who_as_recorded_and_says_the_name_beside_it(played: tuple[Arbitrator, str]) -> None:
    season, robin = played
    entry = read(season, "log", "entry", "13")
    assert (entry["actor"], entry["actor_name"]) == (robin, "Zenobia")
    first = read(season, "log", "entry", "1")
    assert first["actor"] == first["actor_name"], "typed at a terminal"
    dispute = read(season, "dispute", "show", "13")["dispute"]
    assert (dispute["raised_by"], dispute["raised_by_name"]) == (robin, "Zenobia")
    assert (dispute["ruling"]["actor"], dispute["ruling"]["actor_name"]) == (robin, "Zenobia")
    (change,) = read(season, "policy", "history")["history"]
    assert (change["actor"], change["actor_name"]) == (robin, "Zenobia")
    (ruling,) = read(season, "audit", "report")["rulings"]
    assert (ruling["actor"], ruling["actor_name"]) == (robin, "Zenobia")


def test_a_forgotten_person_is_a_former_player_on_every_page_and_every_proof_holds(
    played: tuple[Arbitrator, str],
) -> None:
    season, robin = played
    root = read(season, "audit", "verify")
    with opened(season) as tracker:
        tracker.people.forget(robin)
    for words in PAGES:
        shown = season.done(*words).out
        assert FORMER_PLAYER in " ".join(shown.split()), words
        assert "Zenobia" not in shown
        assert robin not in shown
    assert read(season, "log", "entry", "13")["actor_name"] == FORMER_PLAYER
    assert read(season, "audit", "verify") == root


def test_what_no_file_names_another_for_who_signed_in(season: Arbitrator) -> None:
    with opened(season) as tracker:
        robin = tracker.people.add("Zenobia").person
    report = season.write("recorded_by: Mallory\n" + SEASON[2], name="third.yaml")
    season.done("--as", robin, "battle", "record", str(report), "--roll")
    last = read(season, "log", "show", "--all")["entries"][-1]
    assert last["actor"] == robin


def test_nobody_confirms_their_own_roll_under_their_own_name(season: Arbitrator) -> None:
    with opened(season) as tracker:
        robin = tracker.people.add("Zenobia").person
    report = season.write(SEASON[2], name="third.yaml")
    season.done("--as", robin, "battle", "record", str(report), "--roll")
    typed = next(
        event["address"]
        for entry in reversed(read(season, "log", "show", "--all")["entries"])
        if entry["actor"] == robin
        for event in entry["events"]
        if event["type"] == "RollMade" and event["data"]["source"] != "generated"
    )
    for own in (robin, "Zenobia", "ZENOBIA", "Zenоbia"):  # with a Cyrillic letter
        assert "nobody confirms their own entry" in " ".join(
            season.refused(1, "log", "confirm", typed, "--by", own).split()
        )
    season.done("log", "confirm", typed, "--by", "Sam")


def read(season: Arbitrator, *words: str) -> dict[str, Any]:
    return season.read(*words)
