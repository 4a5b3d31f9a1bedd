"""The wizard: whole conversations, the file they write, stopping anywhere, refusals, and whatever is typed."""

import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import ROOT, Arbitrator, Command
from conversations import (
    AFTERWARDS,
    ANSWERS,
    BY_HAND,
    FILES,
    HEAD,
    HIT,
    LEFT,
    SHEETS,
    conversation,
    entries,
    post,
    written,
)

from tracker.conversations.battle_wizard import BattleWizard
from tracker.documents.battle_report import battle_plan
from tracker.documents.yaml_reader import parse_document
from tracker.log import c2sp
from tracker.rules import loader
from tracker.service.command_handler import RecordResult
from tracker.service.refusals import NoSuchBattle

pytestmark = pytest.mark.usefixtures("wide")


# --- a battle --------------------------------------------------------------------------------------------


def test_the_wizard_writes_the_report_that_one_could_have_written_by_hand(table: Arbitrator) -> None:
    before = table.contents()
    said = conversation(table, *ANSWERS, "no")
    assert written(table) == BY_HAND
    assert table.contents() == before, "nothing is recorded before somebody says yes"
    assert "Tallow might be captured by The Gilded Cage" in said
    assert "Nothing is recorded." in said

    said = conversation(table, "yes")
    assert "Recorded: entries 4 to 10." in said
    assert table.roster()["tallow"]["status"] == "capture_pending"
    again = table.done("battle", "record", str(table.folder / "night.yaml"))
    assert again.out.startswith("Recorded before")
    assert conversation(table).startswith("Recorded before")


def test_the_head_is_signed_after_the_wizard_too_where_that_was_chosen(table: Arbitrator) -> None:
    table.done("audit", "key", "new", "--no-passphrase")
    table.done("audit", "checkpoint", "--after-battles")
    assert "Signed;" not in conversation(table, *ANSWERS, "no")
    said = conversation(table, "yes")
    note = c2sp.parse_note(said.partition("see it:\n\n")[2])
    assert c2sp.parse_checkpoint(note).size == table.head["events"]


def test_a_battle_recorded_by_hand_is_the_same_battle(table: Arbitrator) -> None:
    conversation(table, *ANSWERS, "yes")
    purposes = loader.book("necromunda_2023").purposes
    plans = [
        battle_plan(parse_document(one, file="x"), purposes=purposes) for one in (written(table), BY_HAND)
    ]
    assert plans[0].digest == plans[1].digest


@pytest.mark.slow
def test_stopping_at_any_question_and_going_on_gives_the_same_file(table: Arbitrator) -> None:
    for at in range(0, len(ANSWERS), 2):
        conversation(table, *ANSWERS[at : at + 2], "quit")
    conversation(table, "no")
    assert written(table) == BY_HAND


def test_the_end_of_input_leaves_the_file_and_says_how_to_go_on(table: Arbitrator) -> None:
    before = table.contents()
    said = conversation(table, *HEAD, *HIT[:5], code=130)
    assert "Nothing is recorded. Go on with: arbitrator battle play night.yaml" in said
    assert table.contents() == before
    kept = written(table).splitlines()
    assert kept[-1] == (
        "# not answered yet: {hit: {attacker: krug, weapon: autogun, target: wren}, dice: {wound: [4]}}"
    )
    conversation(table, *HIT[5:], "end", "draw", "no", words=("battle", "play", "--resume", "night.yaml"))
    assert "result: {draw: true}" in written(table)


def test_names_in_an_entry_that_was_left_in_the_middle_are_understood(table: Arbitrator) -> None:
    conversation(table, *HEAD, *HIT[:5], code=130)
    by_id = written(table)
    by_name = by_id.replace("attacker: krug", "attacker: Krug the Anvil").replace(
        "target: wren", "target: Wren"
    )
    assert by_name != by_id
    table.write(by_name, name="night.yaml")
    conversation(table, *HIT[5:], "end", "The Gilded Cage", "no")
    assert "  - hit: {attacker: krug, weapon: autogun, target: wren}" in written(table)
    assert "result: {winner: gilded-cage}" in written(table)


def test_names_of_gangs_in_a_head_that_was_left_in_the_middle_are_understood(table: Arbitrator) -> None:
    conversation(table, *HEAD[:3], "quit")
    kept = written(table)
    assert "gangs: [iron-skulls, gilded-cage]" in kept
    table.write(
        kept.replace("[iron-skulls, gilded-cage]", "[Iron Skulls, The Gilded Cage]"), name="night.yaml"
    )
    conversation(table, *HEAD[3:], *HIT, "end", "draw", "no")
    assert "gangs: [iron-skulls, gilded-cage]" in written(table)


def test_the_file_is_named_after_campaign_and_battle_and_found_again(table: Arbitrator) -> None:
    conversation(table, *HEAD, "quit", words=("battle", "play"))
    assert (table.folder / "ash-wastes-battle-1.yaml").exists()
    said = conversation(table, "quit", words=("battle", "play"))
    assert said.startswith("Going on with ash-wastes-battle-1.yaml, 0 entries so far.")


def test_only_what_the_rules_allow_is_offered(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "rally", "reload", "trauma", "quit")
    assert "rally is not open now." in said
    assert "reload is not open now." in said
    assert "trauma is not open now." in said
    menu = next(line for line in said.splitlines() if line.startswith("    1 hit"))
    assert "rally" not in menu
    assert "recovery" not in menu


def test_who_went_out_of_action_is_offered_no_more(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, *HIT, "hit", "wren", "undo", "hob", "quit")
    assert "'wren' is none of these: type a number, an id or a name." in said
    assert "Here 'back' goes back one answer." in said


def test_a_die_that_is_no_die_is_asked_for_again(table: Arbitrator) -> None:
    said = conversation(
        table, *HEAD, *HIT[:4], "7", "x", "", "4", "out", "9-9", "hobbeld", "4-6", "end", "draw", "no"
    )
    assert "7 is no result of a D6 (wound): expected a whole number from 1 to 6." in said
    assert "Type that die again, or back to drop the entry." in said
    assert "lasting_injury: [4-6]" in written(table)


def test_an_entry_that_is_refused_is_asked_again_or_dropped(table: Arbitrator) -> None:
    said = conversation(
        table,
        *HEAD,
        "experience",
        "pip",
        "100",
        "3",
        "why",
        "experience",
        "krug",
        "back",
        "back",
        "end",
        "draw",
        "no",
    )
    assert "That cannot be: type a whole number from 1 to 99." in said
    assert "Dropped." in said
    assert written(table).count("experience") == 1
    assert "{fighter: pip, amount: 3, reason: why}" in written(table)


def test_an_answer_that_may_be_left_out_can_be_taken_back(
    table: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody of the other gang can be named as the one who did it once more after a refusal: `none` leaves it out.
    tried, refused = BattleWizard.tried, []

    def tried_once(self: BattleWizard, text: str, **how: Any) -> RecordResult:
        if "injury_roll" in text and not refused:
            refused.append(text)
            raise NoSuchBattle(battle="night", known=())
        return tried(self, text, **how)

    monkeypatch.setattr(BattleWizard, "tried", tried_once)
    said = conversation(
        table,
        *HEAD,
        "injury_roll",
        "pip",
        "sable",
        "2",
        "carnivorous plants",
        "",
        "none",
        "",
        "",
        "flesh",
        "flesh",
        "end",
        "draw",
        "no",
    )
    assert "none takes it back" in said
    assert "- injury_roll: {target: pip, count: 2, why: carnivorous plants}" in written(table)


def test_a_refused_line_of_yaml_is_shown_and_leaves_the_file(table: Arbitrator) -> None:
    conversation(table, *HEAD, "quit")
    before = written(table)
    said = conversation(
        table, "hit: {attacker: nobody}", "zap: {a: b}", "{", "hit: [", "a: &b c", "other:", "quit"
    )
    assert "the key 'weapon' is missing" in said
    assert "unknown key" in said
    assert written(table) == before


def test_undo_takes_the_last_entry_out(table: Arbitrator) -> None:
    conversation(
        table, *HEAD, *HIT, "experience", "pip", "2", "x", "undo", "undo", "undo", *ANSWERS[len(HEAD) :], "no"
    )
    assert written(table) == BY_HAND


def test_back_at_the_last_question_takes_the_result_out(table: Arbitrator) -> None:
    conversation(table, *HEAD, *HIT, "end", "draw", "back", *ANSWERS[len(HEAD) + len(HIT) :], "no")
    assert written(table) == BY_HAND


def test_crews_that_do_not_bring_everybody_are_listed(table: Arbitrator) -> None:
    conversation(table, *HEAD[:3], "n", "krug, hob", "all", "end", "draw", "no")
    assert "gangs:\n  iron-skulls: [krug, hob]\n  gilded-cage: all\n" in written(table)


def test_comments_and_layout_of_a_report_begun_by_hand_stay(table: Arbitrator) -> None:
    begun = BY_HAND.split("  - out_of_action", maxsplit=1)[0].replace(
        "entries:", "# as we remember it\nentries:"
    )
    table.write(begun, name="night.yaml")
    conversation(table, "experience", "pip", "2", "x", "end", "draw", "no")
    assert written(table).startswith(begun)


def test_a_report_that_cannot_be_added_to_says_so(table: Arbitrator) -> None:
    begun = (
        BY_HAND.split("entries:", maxsplit=1)[0]
        + "entries: [{fall: {fighter: pip, inches: 2}}, {fall: {fighter: hob, inches: 2}}]\n"
    )
    table.write(begun, name="night.yaml")
    said = conversation(table, "experience", "pip", "2", "x", "back", "undo", "quit")
    assert "answers are added and taken away at its end" in said
    assert written(table) == begun


@pytest.mark.parametrize("file", ["", "-", "/dev/null", ".", "missing/night.yaml", "x" * 300, "a\nb/c.yaml"])
def test_a_file_that_cannot_be_kept_is_refused(table: Arbitrator, file: str) -> None:
    before = table.contents()
    ran = table("battle", "play", "--", file, stdin="night\n")
    assert ran.code == 2, ran.out
    assert table.contents() == before


def test_another_document_is_refused_before_anything_is_asked(table: Arbitrator) -> None:
    table.write("\xff".encode("latin-1"), name="bytes.yaml")
    for file in (str(SHEETS[0]), "bytes.yaml", str(table.file)):
        before = Path(file).read_bytes()
        table.refused(2, "battle", "play", file)
        assert Path(file).read_bytes() == before
    table.refused(2, "battle", "play", "--resume", "nothing.yaml")
    table.refused(2, "battle", "post", "--wizard", "--json")
    table.refused(2, "battle", "post")


# --- afterwards ------------------------------------------------------------------------------------------


def test_the_wizard_leads_through_a_whole_sequence(after: Arbitrator) -> None:
    before = after.contents()
    said = post(after, *AFTERWARDS, "no")
    by_hand = entries(FILES / "01-toll.after.yaml")
    assert entries(after.folder / "after.yaml") == by_hand
    assert "Hob Nine-Fingers is Critically Injured, and dies unless somebody takes them to the Doc." in said
    assert after.contents() == before
    assert "Recorded: entries" in post(after, "", "n", "end", "yes")
    assert after.roster()["tallow"]["status"] == "captive"
    assert post(after).startswith("Recorded before")


def test_the_head_is_signed_after_the_sequence_too(after: Arbitrator) -> None:
    after.done("audit", "key", "new", "--no-passphrase")
    after.done("audit", "checkpoint", "--after-battles")
    (after.folder / "after.yaml").write_bytes((FILES / "01-toll.after.yaml").read_bytes())
    note = c2sp.parse_note(post(after, "", "n", "end", "yes").partition("see it:\n\n")[2])
    assert c2sp.parse_checkpoint(note).size == after.head["events"]


@pytest.mark.slow
def test_stopping_anywhere_in_the_sequence_gives_the_same_file(after: Arbitrator) -> None:
    for at in range(0, len(AFTERWARDS), 4):
        post(after, *AFTERWARDS[at : at + 4], "quit")
    post(after, "", "n", "end", "no")
    assert entries(after.folder / "after.yaml") == entries(FILES / "01-toll.after.yaml")


def test_who_has_acted_is_offered_no_more(after: Arbitrator) -> None:
    said = post(after, "every-gang", *LEFT, "trade", "krug", "0", "trade", "krug", "quit")
    assert "Krug the Anvil has acted already in this sequence (Trade)" in said, said


def test_only_what_can_be_paid_is_offered(after: Arbitrator) -> None:
    # The Iron Skulls have 40 credits: a Kettle Boy costs 20, a nail gun 10, a Forge Hand 55; nobody sought rare things.
    said = post(
        after, "iron-skulls", "back", "n", "hire", "Bo", "buy", "boomer", "nail gun", "", "quit", armoury=True
    )
    assert "Who do they hire? Kettle Boy, the only choice" in said, "of all types only this one can be paid"
    assert "1 nail gun, 10 credits, straight to a fighter 8" in said
    assert "boomer, " not in said
    assert "buy: {gang: iron-skulls, item: nail gun}" in written(after, "after.yaml")
    assert "gang: iron-skulls\n" in written(after, "after.yaml")


def test_a_thing_goes_straight_to_a_model_only_off_the_own_list(after: Arbitrator) -> None:
    # Goggles stand on no list of the Forge Clans: nobody is asked for who gets them, and they go to the stash.
    said = post(after, "iron-skulls", "back", "n", "buy", "goggles", "quit", armoury=True)
    assert "Who gets it straight away?" not in said
    assert "goggles (worth 20 credits), the Trading Post -> the stash of Iron Skulls" in said


def test_without_an_armoury_the_wizard_says_why_nobody_is_hired(after: Arbitrator) -> None:
    assert "hire is not open now. It is looked up in an armoury" in post(
        after, "iron-skulls", "back", "n", "hire", "quit"
    )


def test_a_file_name_with_a_space_can_be_gone_on_with(table: Arbitrator) -> None:
    said = conversation(table, "quit", words=("battle", "play", "a night.yaml"))
    assert "Nothing was begun." in said
    said = conversation(table, "night", "quit", words=("battle", "play", "a night.yaml"))
    assert "Go on with: arbitrator battle play 'a night.yaml'" in said


def test_who_is_hired_under_the_name_of_another_gangs_fighter_gets_an_id_of_their_own(
    after: Arbitrator,
) -> None:
    said = post(after, "iron-skulls", "back", "n", "hire", "Wren", "quit", armoury=True)
    assert "is enlisted already" not in said
    assert "- hire: {gang: iron-skulls, type: Kettle Boy, name: Wren, id: wren-2}" in written(
        after, "after.yaml"
    )


def test_hire_sell_and_advance(after: Arbitrator) -> None:
    said = post(
        after, "iron-skulls", "back", "n",
        "credits: {from: '@rewards', to: iron-skulls, amount: 100, reason: a windfall}",
        *("hire", "Forge Hand", "Anvil Tom"), *("buy", "goggles"), *("sell", "goggles", "3"),
        *("advance", "krug", "initiative"), "", "", "", "no",
        armoury=True,
    )  # fmt: skip
    file = written(after, "after.yaml")
    assert "- hire: {gang: iron-skulls, type: Forge Hand, name: Anvil Tom}" in file
    assert "- sell: {gang: iron-skulls, item: goggles}\n    dice: {sale: [3]}" in file
    assert "- advance: {fighter: krug, take: initiative}" in file
    assert "- rating: {gang: iron-skulls}" in file
    assert "Nothing is recorded." in said


def test_a_file_that_is_recorded_is_said_before_the_first_question(after: Arbitrator) -> None:
    own = "format: post-battle/1\nbattle: {battle}\n{gang}entries:\n  - rating: {{gang: {about}}}\n"
    (battle,) = {row["battle"] for row in after.read("battle", "list")["battles"]}
    gangs = [row["gang"] for row in after.read("gang", "list")["gangs"]]
    after.done("battle", "post", after.write(own.format(battle=battle, gang="", about=gangs[0])))
    said = post(after, "quit")
    assert "Recorded already after battle" in said
    assert said.index("the file of every gang in one") < said.index("For which gang?")
    assert "one file for every gang of it" not in said
    (after.folder / "after.yaml").unlink(missing_ok=True)
    for gang in gangs:
        text = own.format(battle=battle, gang=f"gang: {gang}\n", about=gang)
        after.done("battle", "post", after.write(text, name=f"{gang}.yaml"))
    ran = after("battle", "post", "--wizard", "after.yaml")
    assert ran.code == 2
    assert "Every file after battle" in ran.err


def test_without_a_battle_behind_there_is_nothing_to_ask(table: Arbitrator) -> None:
    assert "No gang's post-battle sequence is open" in table.refused(1, "battle", "post", "--wizard")


# --- another book ----------------------------------------------------------------------------------------

TRENCH = """\
format: gang-sheet/1
name: {name}
house: Heretic Legion
player: Robin
fighters:
  - {{name: {elite}, category: elite, type: Priest, cost: 80, characteristics: {{Mv: 6, Rng: 2, Mel: 2, Arm: -1}}}}
  - {{name: {troop}, category: troop, type: Trooper, cost: 30, characteristics: {{Mv: 6, Rng: 0, Mel: 0, Arm: 0}}}}
"""


def test_an_injury_roll_of_the_trench_crusade(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty.folder)
    empty.done("campaign", "new", "No Man's Land", "--ruleset", "trench_crusade")
    for name, elite, troop in (("Black Vigil", "Vex", "Rat"), ("White Choir", "Anselm", "Odo")):
        empty.done("gang", "add", empty.write(TRENCH.format(name=name, elite=elite, troop=troop)))
    head = ["trench", "No Man's Land", "2025-03-07", "yes"]
    said = conversation(
        empty,
        *head,
        "injury_chart",
        "anselm",
        "rat",
        "1",
        "",
        "6",
        "5",
        "4",
        "end",
        "white-choir",
        "6",
        "yes",
    )
    assert "- injury_chart: {attacker: anselm, target: rat, plus_dice: 1}" in written(empty)
    assert "dice: {injury_chart: [6, 5, 4]}" in written(empty)
    menu = next(line for line in said.splitlines() if "8 injury chart" in line)
    assert "1 hit" not in menu, "the book has no such hits, and the numbers of the others stay"
    assert "Recorded: entries" in said


def test_dice_stay_when_an_entry_is_refused_and_shown_otherwise(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 2+5+4 is 11, and the chapel is found on 12: reported again without it, nobody rolls those dice a second time.
    season = ROOT / "fixtures" / "trench-season"
    monkeypatch.chdir(empty.folder)
    empty.done("campaign", "new", "Mud", "--ruleset", "trench_crusade")
    for sheet in ("iron-procession", "black-vigil"):
        empty.done("gang", "add", str(season / f"{sheet}.yaml"))
    empty.done("battle", "record", str(season / "01-crater.yaml"))
    explored = ["explore", "", "2, 5, 4", "", "Chapel", "12", "common"]
    said = post(empty, "iron-procession", *explored, "", "", "", "", "quit")
    assert "Answer again" in said
    assert entries(empty.folder / "after.yaml") == [
        {"explore": {"gang": "iron-procession"}, "dice": {"exploration": [2, 5, 4]}}
    ]


# --- whatever is typed -----------------------------------------------------------------------------------

WORDS = [
    *("hit", "shoot", "fight", "nerve", "bottle", "flee", "fall", "end", "undo", "back", "?", "", "", "r", "r", "1", "2", "3", "6"),
    *("4-6", "3+4", "out", "krug", "hob", "wren", "sable", "autogun", "yes", "no", "all", "krug, hob", "other: fall: {fighter: pip"),
    *("fall: {fighter: pip, inches: 3}", "hit: {a: b}", "{}", "[]", "- x", "a: b: c", "!!python/object:x", "&a *a", "\x1b[2J", "\u202e"),
    *("𝕂", "9" * 40, "x" * 3000, "'; DROP", "%s", "{0}", "# x", "next", "escape", "trade", "reward", "credits", "iron-skulls"),
    *("end", "draw", "dice: {x: [1]}", "fall: 1", "hit:", "note: x", "format: battle-report/1", "quit-", "-1", "1e9", "0x1", "true"),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_typed_gets_an_answer(after: Arbitrator, seed: int) -> None:
    dice = random.Random(seed)
    words = ("battle", "play", "night.yaml") if seed % 2 else ("battle", "post", "--wizard", "after.yaml")
    typed = dice.choices(WORDS, k=60)
    if dice.random() < 0.7:
        typed = (["night", "x", "", "all", "all", "all"] if seed % 2 else [""]) + typed
    ran = after(*words, stdin="".join(f"{one}\n" for one in typed).encode("utf-8", "surrogatepass"))
    assert ran.code in (0, 130), (ran.err, typed)
    assert all(line.isprintable() for line in (ran.out + ran.err).split("\n"))
    again = after(*words)
    assert again.code in (0, 130), (again.err, written(after, words[-1]))
    after.done("audit", "verify")


@pytest.mark.slow
def test_ctrl_c_leaves_the_file_and_says_how_to_go_on(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "night.yaml"
    running = subprocess.Popen(
        command.words("battle", "play", str(file)),
        env=command.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdin is not None
    running.stdin.write("night\nLamps\n")
    running.stdin.flush()
    for _ in range(600):
        if file.exists() and "Lamps" in file.read_text(encoding="utf-8"):
            break
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "")
    assert out.endswith(f"Nothing is recorded. Go on with: arbitrator battle play {file}\n")
    assert (
        file.read_text(encoding="utf-8") == "# not answered yet: {head: {battle: night, scenario: Lamps}}\n"
    )


def test_bytes_that_are_no_text_end_the_conversation(table: Arbitrator) -> None:
    ran = table("battle", "play", "night.yaml", stdin=b"night\n\xff\xfe\n")
    assert (ran.code, ran.err) == (130, "")
