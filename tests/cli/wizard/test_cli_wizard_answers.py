"""How the wizard is answered: numbers that stay, Enter, back, help, answers typed ahead, prices, a real terminal."""

import os
import pty
import select
import time
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator, Command, begin
from conversations import (
    AFTERWARDS,
    BY_HAND,
    HEAD,
    HIT,
    LEFT,
    SHEETS,
    conversation,
    post,
    written,
)

from tracker.conversations.battle_wizard import BattleWizard
from tracker.service.command_handler import RecordResult
from tracker.service.refusals import NoSuchBattle

pytestmark = pytest.mark.usefixtures("wide")


# --- numbers ---------------------------------------------------------------------------------------------


def test_a_fighter_has_one_number_whatever_is_asked(table: Arbitrator) -> None:
    # Krug is the first of the first gang, Wren the fifth of the second, after the six Iron Skulls.
    said = conversation(
        table, *HEAD, "hit", "1", "autogun", "11", "4", "out", "4-6", "out", "1", "7", "", "2-1", "quit"
    )
    assert "- hit: {attacker: krug, weapon: autogun, target: wren}" in written(table)
    assert "- out_of_action: {fighter: krug, by: mags}" in written(table)
    assert "11 Wren" in said.partition("Who was hit?")[0]
    assert "11 Wren" not in said.rpartition("Who went Out of Action?")[0].rpartition("What happened?")[2]


def test_an_entry_has_one_number_whatever_else_is_open(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, *HIT, "quit")
    menus = [line for line in said.splitlines() if "16 shoot" in line]
    assert len(menus) == 2
    assert "nerve" not in menus[0], "nobody was down yet"
    assert "15 nerve" in menus[1], "and shoot stays 16 beside it"


def test_numbers_are_the_same_after_stopping(table: Arbitrator) -> None:
    conversation(table, *HEAD, "7", "10", "quit")
    conversation(table, "1", "bright lamp", "end", "2", "n")
    assert "- experience: {fighter: quill, amount: 1, reason: bright lamp}" in written(table)
    assert "result: {winner: gilded-cage}" in written(table)


def test_digits_too_many_for_a_number_are_refused_as_a_reason(table: Arbitrator) -> None:
    digits = "9" * 5000  # Python makes no number of so many
    said = conversation(
        table,
        *(*HEAD, "experience", "pip", "2", "a bright lamp"),
        *("experience", "quill", "1", digits, "1", "quit"),
    )
    assert "That cannot be" in said
    assert written(table).count("a bright lamp") == 2


# --- Enter -----------------------------------------------------------------------------------------------


def test_enter_takes_what_stands_in_brackets_and_says_so(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "out", "tallow", "", "5-5", "quit")
    assert "  Who did it? [nobody] \n    nobody\n" in said


def test_enter_keeps_a_nought_too_after_a_refusal(table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, refused = BattleWizard.tried, []

    def tried_once(self: BattleWizard, text: str, **how: Any) -> RecordResult:
        if "nerve" in text and not refused:
            refused.append(text)
            raise NoSuchBattle(battle="night", known=())
        return tried(self, text, **how)

    monkeypatch.setattr(BattleWizard, "tried", tried_once)
    told = ["nerve", "ivo", "wren", "0"]
    conversation(table, *HEAD, *HIT, *told, "", "", "", "6+6", "quit")
    assert refused
    assert "- nerve: {fighter: ivo, because_of: wren, friends_near: 0}" in written(table)


def test_enter_skips_nothing_where_an_answer_is_needed(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "", "hit", "", "krug", "autogun", "", "wren", "", "quit")
    assert said.count("This question needs an answer") == 4
    assert "hit: {attacker: krug, weapon: autogun, target: wren}" in written(table)


def test_enter_does_not_leave_somebody_to_die(after: Arbitrator) -> None:
    # Hob is Critically Injured: nobody takes him to the Doc, and the step is left only with a yes.
    steps = ["", "5", "4", "n", "", "", "", "", "0"]
    said = post(after, *steps, "", "n", "", "y", "quit")
    assert (
        said.count("Hob Nine-Fingers is Critically Injured, and dies unless somebody takes them to the Doc.")
        == 3
    )
    assert said.count("Go on all the same?") == 2
    assert "6A. Clean house" in said.rpartition("Go on all the same? y")[2]


# --- one key ---------------------------------------------------------------------------------------------


def test_one_key_says_that_all_took_part(after: Arbitrator) -> None:
    post(after, "", "5", "4", "y", "quit")
    assert "- took_part: {gang: iron-skulls}\n  - took_part: {gang: gilded-cage}\n" in written(
        after, "after.yaml"
    )


def test_one_key_names_everybody_and_one_nobody(table: Arbitrator) -> None:
    bottled = ["out", "tallow", "sable", "n", "5-5", "bottle", "1", "n", "6"]
    conversation(table, *HEAD, *bottled, "flee", "", "a", "0", "0", "3+4", "1+2", "2+3", "4+4", "6+6", "quit")
    assert "- flee: {gang: iron-skulls, fighters: [krug, vex, dross, hob, pip]}" in written(table)


def test_a_step_with_nothing_in_it_is_named_and_left(after: Arbitrator) -> None:
    said = post(after, "", "5", "4", "y", "", "", "0", "", "quit")
    assert "4. Income\n  Nothing more to do in this step.\n5. Post-battle actions" in said, said


def test_what_was_left_is_not_asked_for_again_after_stopping(after: Arbitrator) -> None:
    post(after, "", *LEFT, "quit")
    said = post(after, "quit")
    assert "escape roll" not in said.partition("What is done?")[0].replace("an escape roll is due", "")
    assert "take part" not in said


# --- back and help ---------------------------------------------------------------------------------------


def test_back_goes_back_one_answer(table: Arbitrator) -> None:
    # Vex's only weapon is no question: back from its profile leads to who attacked.
    said = conversation(
        table, *HEAD, "hit", "vex", "back", "krug", "autogun", "hob", "back", "wren", "3", "back",
        "4", "flesh", "back", "out", "4-6", "end", "draw", "n",
    )  # fmt: skip
    assert "- hit: {attacker: krug, weapon: autogun, target: wren}\n" in written(table)
    assert "dice: {wound: [4], injury: [out], lasting_injury: [4-6]}\n" in written(table), said


def test_back_at_the_first_question_drops_the_entry(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "hit", "back", "end", "draw", "n")
    assert "Dropped." in said
    assert "entries" not in written(table)


def test_back_in_the_menu_takes_the_last_entry_up_again(table: Arbitrator) -> None:
    conversation(table, *HEAD, *HIT, "back", "5-5", "back", "back", "back", "6", "flesh", "end", "draw", "n")
    assert "dice: {wound: [6], injury: [flesh]}\n" in written(table)


def test_back_goes_back_in_the_head_too(table: Arbitrator) -> None:
    conversation(
        table,
        "night",
        "Lamps",
        "back",
        "back",
        "toll",
        "Lamps in the Gutter",
        "back",
        "Lamps",
        "",
        "yes",
        "quit",
    )
    assert written(table).startswith("format: battle-report/1\nbattle: toll\nscenario: Lamps\n")


def test_a_question_mark_explains_the_question(table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = conversation(table, *HEAD, "?", "nerve", "out", "?", "tallow", "0", "?", "5-5", "quit")
    assert "coup_de_grace       A Coup de Grace against an enemy" not in said, "nobody lies there"
    assert "out_of_action       The fighter went Out of Action." in said
    assert "Whom it happened to. In a file: `fighter` of `out_of_action`." in said
    assert "  5 Tallow (tallow)" in said
    assert "In a file: `lasting_injury` under `dice`." in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 80


# --- typed ahead -----------------------------------------------------------------------------------------


def test_answers_typed_ahead_are_taken_one_by_one(table: Arbitrator) -> None:
    conversation(
        table, *HEAD, "hit krug auto wren 4 out 46", "out tallow sable 55", "nerve ivo wr 0 66", "7 pip 2 held: the bridge",
        "other: fall: {fighter: pip, inches: 2}", "end", "gilded-cage", "n",
    )  # fmt: skip
    assert written(table) == BY_HAND


def test_what_was_typed_ahead_of_a_wrong_answer_is_forgotten(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "hit nobody autogun wren", "krug", "quit")
    assert "'nobody autogun wren' is none of these: type a number, an id or a name." in said
    assert written(table).endswith("# not answered yet: {hit: {attacker: krug}}\n")


def test_what_nobody_asked_for_is_left_out_aloud(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "hit krug auto wren 1 out", "quit")
    assert "Not asked for, and left out: out" in said


def test_nothing_typed_ahead_records_what_was_not_shown_yet(table: Arbitrator) -> None:
    before = table.contents()
    said = conversation(table, *HEAD, "end draw yes", "n")
    assert "Not asked for, and left out: yes" in said
    assert table.contents() == before


def test_dice_may_be_typed_in_a_row(table: Arbitrator) -> None:
    # Sable has 3 Attacks and one more for the charge; 5, 3 and 4 hit on 3+, and no wound roll passes.
    conversation(
        table, *HEAD, "fight", "sable", "vex", "1, charging", "5324", "1", "1", "1", "end", "draw", "n"
    )
    assert "dice: {melee_hit: [5, 3, 2, 4], wound: [1, 1, 1]}" in written(table)


# --- questions -------------------------------------------------------------------------------------------


def test_the_doc_says_what_he_asks_and_what_follows_if_not(after: Arbitrator) -> None:
    said = post(after, *AFTERWARDS, "n")
    assert "Pay the Doc 40 credits? If not, Hob Nine-Fingers dies. [Y/n]" in said


def test_prices_and_costs_in_xp_stand_beside_the_choices(after: Arbitrator) -> None:
    said = post(after, "", *LEFT, "buy", "1", "back", "back", "advance", "krug", "quit", armoury=True)
    assert "1 Iron Skulls, has 40 credits" in said
    assert "1 nail gun, 10 credits, straight to a fighter 8" in said
    assert "1 Krug the Anvil, 8 XP" in said
    assert "1 Willpower, 3 XP" in said


def test_who_a_shot_might_stray_to_is_asked_only_after_a_miss(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", "1", "5", "1", "2", "quit")
    assert "stray shot" not in said
    said = conversation(table, "shoot", "krug", "wren", "1", "", "2", "1", "ivo", "5", "quit")
    assert "Who is in the way of the stray shot? Nearest to Krug the Anvil first." in said
    assert "at_risk: [ivo]}" in written(table)


def test_a_battle_of_one_gang_is_refused_at_once(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty.folder)
    begin(empty, sheets=SHEETS[:1])
    said = empty.refused(1, "battle", "play", "night.yaml")
    assert (
        "A battle needs two gangs, and this campaign has one. Add one more: arbitrator gang add FILE." in said
    )


def test_one_gang_of_three_is_no_battle(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty.folder)
    begin(empty)
    said = conversation(empty, "night", "Lamps", "", "1", "1,2", "y", "quit")
    assert "A battle needs two gangs: type both, with a comma between them." in said


def test_a_character_that_nobody_can_see_is_typed_again(table: Arbitrator) -> None:
    said = conversation(table, "night", "La\u202emps", "Lamps", "", "y", "quit")
    assert "That holds an invisible or control character: type it again." in said
    assert "scenario: Lamps\n" in written(table)


def test_a_fault_in_a_line_of_yaml_is_said_in_short(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "charge: {attacker: krug}", "shoot: {foo: 1}", "charge", "quit")
    assert "\n  charge: unknown key. A charge is a `fight` with `charging: true`.\n" in said
    assert "\n  shoot.foo: unknown key. Known here: attacker, weapon, " in said
    assert all(len(line) < 200 for line in said.splitlines() if "unknown key" in line)
    assert "'charge' is no entry that can be made. A charge is a `fight` with `charging: true`.\n" in said


def test_who_acts_is_for_the_rules_and_not_for_what_was_asked_before(after: Arbitrator) -> None:
    # Tallow is a captive of The Gilded Cage, who may trade him; only their fighters may sell him to the Guilders.
    said = post(
        after,
        "",
        "5",
        "4",
        "n",
        "",
        "",
        "",
        "",
        "0",
        "sell_captive",
        "rescue",
        "declined",
        "sell_captive",
        "krug",
        "quit",
    )
    assert "sell_captive is not open now. " in said
    assert "Rescue Mission" in said.partition("sell_captive is not open now. ")[2].partition("\n")[0]
    listed = said.rpartition("Who sells Tallow to the Guilders?")[0].rpartition("only choice")[2]
    assert "7 Mags Aurelia" in listed
    assert "1 Krug the Anvil" not in listed


# --- a terminal ------------------------------------------------------------------------------------------


def test_a_line_can_be_edited_and_earlier_ones_come_back(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "night.yaml"
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(command.environment(TERM="dumb"))
        words = command.words("battle", "play", str(file))
        os.execv(words[0], words)  # noqa: S606 -- this program itself
    shown = ""

    def until(words: str) -> None:
        nonlocal shown
        end = time.monotonic() + 60
        while words not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                shown += os.read(terminal, 65536).decode()
        assert words in shown, shown
        shown = shown.partition(words)[2]

    def types(keys: str) -> None:
        os.write(terminal, keys.encode())

    until("What is the battle called?")
    types("nigt\x1b[Dh\r")  # an h before the last letter
    until("Which scenario?")
    types("\x1b[A at the sump\r")  # the line before, with more at its end
    until("When was it played?")
    types("\r")
    until("Which gangs fight?")
    types("iron\t,gil\t\r")  # Tab ends both
    until("Does everybody who can fight take part?")
    types("\r")
    until("What happened?")
    types("fal\t\r")  # Tab makes it fall
    until("Who fell?")
    types("Tal\t\r")
    until("How far did Tallow fall, in inches?")
    types("\x04")  # the end of input
    until("Nothing is recorded. Go on with:")
    assert os.waitpid(process, 0)[1] >> 8 == 130
    os.close(terminal)
    kept = file.read_text(encoding="utf-8")
    assert "battle: night\nscenario: night at the sump\n" in kept
    assert kept.endswith("# not answered yet: {fall: {fighter: tallow}}\n")
