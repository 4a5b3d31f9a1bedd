"""The wizard asks an owner which of two Injury dice is kept, and which vehicles are in contact."""

import convoy
import pytest
from cli_arbitrator import Arbitrator, begin
from conversations import HEAD, conversation, written

pytestmark = pytest.mark.usefixtures("wide")
BLAST = ["shoot", "krug", "pot", "mags", "short", "mags, dot", "6", "one_hole"]


@pytest.fixture
def grit(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """A gang with True Grit, and one with a Reckless flail and a Blast."""
    begin(empty, sheets=convoy.with_true_grit(empty.folder))
    monkeypatch.chdir(empty.folder)
    return empty


def test_what_an_owner_keeps_stands_in_the_entry_and_the_milder_is_not_written(grit: Arbitrator) -> None:
    hit = ["hit", "krug", "autogun", "mags", "6", "serious, flesh"]
    said = conversation(
        grit, *HEAD, *hit, "", "hit", "krug", "autogun", "dot", "6", "serious, flesh", "1", "quit"
    )
    assert said.count("which of the two Injury dice is kept? Their owner chooses. [Flesh Wound]") == 2
    assert "- hit: {attacker: krug, weapon: autogun, target: mags}\n" in written(grit)
    assert "- hit: {attacker: krug, weapon: autogun, target: dot, keeps: serious_injury}\n" in written(grit)
    assert "keeps mags" not in written(grit)


def test_back_takes_back_what_is_kept(grit: Arbitrator) -> None:
    hit = ["hit", "krug", "autogun", "mags", "6", "ooa, flesh", "Out of Action"]
    conversation(grit, *HEAD, *hit, "back", "flesh", "quit")
    assert "- hit: {attacker: krug, weapon: autogun, target: mags}\n" in written(grit)
    assert written(grit).count("- hit") == 1


def test_under_a_blast_each_model_says_what_is_kept(grit: Arbitrator) -> None:
    injuries = ["6", "serious, flesh", "serious", "6", "flesh, serious", "flesh"]
    conversation(grit, *HEAD, *BLAST, *injuries, "quit")
    assert "not answered yet" not in written(grit)
    assert "under_marker: [{fighter: mags, keeps: serious_injury}, dot]" in written(grit)


def test_back_from_an_injury_under_a_blast_asks_for_it_again(grit: Arbitrator) -> None:
    injuries = ["6", "ooa, flesh", "Out of Action", "back", "flesh", "6", "flesh, flesh"]
    conversation(grit, *HEAD, *BLAST, *injuries, "quit")
    assert "not answered yet" not in written(grit)
    assert "under_marker: [mags, dot]" in written(grit)


def test_an_unfinished_entry_goes_on_with_what_is_kept(grit: Arbitrator) -> None:
    conversation(grit, *HEAD, *BLAST, "6", "ooa, flesh", "Out of Action", "quit")
    assert "not answered yet" in written(grit)
    conversation(grit, "2-1", "6", "flesh, flesh", "quit")
    assert "not answered yet" not in written(grit)
    assert "under_marker: [{fighter: mags, keeps: out_of_action}, dot]" in written(grit)


def test_vehicles_are_in_contact_by_their_sides(grit: Arbitrator) -> None:
    conversation(grit, *HEAD, "fight", "krug", "mags", "flail", "vex, sled/side/mobile", "1", "quit")
    assert 'in_contact: [vex, "sled/side/mobile"]' in written(grit)


def test_who_is_assisted_picks_one_of_the_two_dice_of_a_recovery_test(grit: Arbitrator) -> None:
    down = [*HEAD, "seriously_injured", "mags", "", "recovery", "mags", "dot"]
    said = conversation(grit, *down, "serious, flesh", "1", "quit")
    assert "Mags's Recovery test: which die is picked? [Flesh Wound]" in said
    assert "- recovery: {fighter: mags, assisted_by: dot, choose: 1}\n" in written(grit)


def test_the_kinder_die_of_a_recovery_test_is_picked_with_enter_and_not_written(grit: Arbitrator) -> None:
    down = [*HEAD, "seriously_injured", "mags", "", "recovery", "mags", "dot"]
    conversation(grit, *down, "serious, flesh", "", "quit")
    assert "- recovery: {fighter: mags, assisted_by: dot}\n" in written(grit)
    said = conversation(grit, "back", "back", "serious, serious", "quit")
    assert "which die is picked" not in said, "two dice that show the same leave nothing to pick"
