"""A fight asks for the same dice in the same order, wherever it is told: in a report, to `judge`, in the wizard
and on the page of exchanges.

Ada's maul has Knockback and Blaze; Bo has Parry, Step Aside and Dodge. All seven dice fall.
"""

import re

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor
from served import Club

NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
MAUL = "{name: maul, S: 4, AP: 0, D: 1, traits: [Melee, Knockback, Blaze]}"
SKILLS = "[Parry, Step Aside, Dodge]"
DICE = {
    "melee_hit": "5",
    "parry": "5",
    "step_aside": "1",
    "wound": "6",
    "dodge": "1",
    "injury": "flesh",
    "blaze": "4",
}
"""As the sheet has them: the hit, its parry, the step aside; the wound, its dodge; the injury; Blaze last."""
ORDER = list(DICE)
FIGHT = "fight: {attacker: ada, weapons: [maul], targets: [bo]}"


def sheet(gang: str, fighter: str, more: str) -> str:
    return (
        f"format: gang-sheet/2\ngang: {gang}\nname: {gang.title()}\nhouse: House\nplayer: Kim\nfighters:\n"
        f"  - {{id: {fighter}, name: {fighter.title()}, category: leader, type: Boss, cost: 100,"
        f" characteristics: {NUMBERS}, {more}}}\n"
    )


@pytest.fixture
def pit(table: Arbitrator) -> Arbitrator:
    """Ada and Bo in a campaign of two battles."""
    for name, text in (
        ("mauls", sheet("mauls", "ada", f"weapons: [{MAUL}]")),
        ("foils", sheet("foils", "bo", f"skills: {SKILLS}")),
    ):
        table.done("gang", "add", table.write(text, name=f"{name}.yaml"))
    return table


def asked(table: Arbitrator, file: str, *words: str) -> list[str]:
    """What is missing, die by die, until a command takes the file."""
    found: list[str] = []
    while len(found) <= len(ORDER):
        rolled = ", ".join(f"{purpose}: [{DICE[purpose]}]" for purpose in found)
        text = file.replace("DICE", f"dice: {{{rolled}}}" if rolled else "note: none yet")
        ran = table(*words, table.write(text, name="asked.yaml"))
        if ran.code == 0:
            return found
        missing = re.search(r"missing: '(\w+)'", ran.err)
        assert missing is not None, ran.err
        found.append(missing[1])
    raise AssertionError(found)


def test_a_report_asks_for_the_dice_in_this_order(pit: Arbitrator) -> None:
    report = (
        "format: battle-report/1\nbattle: pit\nscenario: Pit\ndate: 2026-04-01\ngangs: [mauls, foils]\n"
        f"entries:\n  - {FIGHT}\n    DICE\nresult: {{draw: true}}\n"
    )
    assert asked(pit, report, "battle", "record", "--dry-run") == ORDER


def test_judge_asks_for_the_dice_in_this_order(pit: Arbitrator) -> None:
    def side(gang: str, name: str, more: str) -> str:
        one = f"{{name: {name}, category: leader, characteristics: {NUMBERS}, {more}}}"
        return f"  {gang}:\n    fighters:\n      - {one}\n"

    exchange = (
        "format: exchange/1\nrulebook: necromunda_2023\ngangs:\n"
        + side("mauls", "Ada", f"weapons: [{MAUL}]")
        + side("foils", "Bo", f"skills: {SKILLS}")
        + f"exchange:\n  - {FIGHT}\n    DICE\n"
    )
    assert asked(pit, exchange, "judge") == ORDER


def test_the_wizard_and_its_drafts_ask_for_the_dice_in_this_order(pit: Arbitrator) -> None:
    now = pit.read("draft", "begin", "battle")
    number = now["draft"]["draft"]

    def answer(said: str) -> dict[str, object]:
        return pit.read("draft", "answer", number, said, "--revision", str(now["draft"]["revision"]))

    for said in ("pit", "Pit", "2026-04-01", "mauls, foils", "yes", f"other: {FIGHT}"):
        now = answer(said)
    found: list[str] = []
    while now["question"]["key"] != "menu":
        purpose = str(now["question"]["key"]).removeprefix("dice.")
        found.append(purpose)
        now = answer(DICE[purpose])
    assert found == ORDER


def test_the_page_of_exchanges_asks_for_the_dice_in_this_order(pit: Arbitrator, club: Club) -> None:
    assert pit.file.exists()
    visitor = Visitor(club.client, club.tokens["Sol"])
    visitor.go("/campaigns/ash-wastes/judge")
    html = visitor.press("Go on", kind="fight")
    filled = {"kind": "fight", "ask.attacker": "ada", "ask.targets": "bo", "ask.weapons": "maul"}
    html = visitor.press("Judge it with our dice", **filled)
    found: list[str] = []
    while fields := re.findall(r'name="(die\.\d+\.\w+/\d+)"', html):
        new = [name for name in fields if name.split(".")[2].split("/")[0] not in found]
        if not new:
            break
        purpose = new[-1].split(".")[2].split("/")[0]
        found.append(purpose)
        html = visitor.press(
            "Go on with it", **{new[-1]: {"flesh": "flesh_wound"}.get(DICE[purpose], DICE[purpose])}
        )
    assert found == ORDER
