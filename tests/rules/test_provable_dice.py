"""`tracker-dice/v1`: the known answers of its page, here and in JavaScript; and no face likelier than another."""

import hashlib
import hmac
import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tables import every

from tracker.rules.fairness import p_value
from tracker.rules.provable_dice import (
    ProvableRoller,
    contribution_commitment,
    packed,
    seed_commitment,
    stream,
)

PAGE = (Path(__file__).parents[2] / "docs" / "formats" / "provable-dice.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The only block of that language on the page."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


KNOWN: dict[str, Any] = json.loads(block("json"))
SEED = bytes.fromhex(KNOWN["seed"])
GIVEN = [(given["who"], given["contribution"]) for given in KNOWN["contributions"]]

SCRIPT = """
const known = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const seed = Buffer.from(known.seed, "hex");
console.log(JSON.stringify({
  commitment: seedCommitment(known.campaign, known.session, seed),
  contributions: known.contributions.map((given) =>
    contributionCommitment(known.campaign, known.session, given.who, given.contribution)),
  packed: packed(known.contributions).toString("hex"),
  faces: known.rolls.map((one) =>
    roll(seed, known.contributions.slice(0, one.contributions), one.nonce, one.sides)),
}));
"""


def test_commitments_are_the_known_ones() -> None:
    assert seed_commitment(KNOWN["campaign"], KNOWN["session"], SEED) == KNOWN["commitment"]
    assert [contribution_commitment(KNOWN["campaign"], KNOWN["session"], *given) for given in GIVEN] == [
        given["commitment"] for given in KNOWN["contributions"]
    ]
    assert packed(GIVEN).hex() == KNOWN["packed"]


@every("known", KNOWN["rolls"], ids=lambda known: str(known["nonce"]))
def test_faces_are_the_known_ones(known: dict[str, Any]) -> None:
    contributions = GIVEN[: known["contributions"]]
    first = itertools.islice(stream(SEED, packed(contributions), known["nonce"]), 8)
    assert bytes(first).hex() == known["first_bytes"]
    roller = ProvableRoller(SEED, contributions, known["nonce"])
    assert [roller(sides) for sides in known["sides"]] == known["faces"]
    assert roller.draws == list(zip(known["sides"], known["faces"], strict=True))


def test_javascript_comes_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    node = shutil.which("node")
    if node is None:
        with capsys.disabled():
            print("\nNOT CHECKED in a second language: there is no node here.")  # noqa: T201  # said aloud
        return
    ran = subprocess.run(
        [node, "-e", block("js") + SCRIPT],
        input=block("json"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert json.loads(ran.stdout) == {
        "commitment": KNOWN["commitment"],
        "contributions": [given["commitment"] for given in KNOWN["contributions"]],
        "packed": KNOWN["packed"],
        "faces": [known["faces"] for known in KNOWN["rolls"]],
    }


def test_a_block_is_plain_hmac_in_counter_mode() -> None:
    said = (
        b"tracker-dice/v1\0" + len(packed(GIVEN)).to_bytes(4, "big") + packed(GIVEN) + (57).to_bytes(8, "big")
    )
    blocks = [
        hmac.new(SEED, said + counter.to_bytes(4, "big"), hashlib.sha256).digest() for counter in range(3)
    ]
    assert bytes(itertools.islice(stream(SEED, packed(GIVEN), 57), 96)) == b"".join(blocks)


def test_a_byte_that_would_favour_a_face_is_thrown_away() -> None:
    # Nonce 5 begins 63, 255, 79: 255 is no fair byte for a D6 or a D3, and is one for a die of four sides.
    assert list(itertools.islice(stream(SEED, packed(GIVEN), 5), 3)) == [63, 255, 79]
    six, three = ProvableRoller(SEED, GIVEN, 5), ProvableRoller(SEED, GIVEN, 5)
    assert [six(6), six(6)] == [63 % 6 + 1, 79 % 6 + 1]
    assert [three(3), three(3)] == [63 % 3 + 1, 79 % 3 + 1]
    four = ProvableRoller(SEED, GIVEN, 5)
    assert [four(4), four(4)] == [63 % 4 + 1, 255 % 4 + 1]


def test_no_face_and_no_pair_is_likelier_than_another() -> None:
    roller = ProvableRoller(SEED, GIVEN, 1)
    faces = [roller(6) for _ in range(30_000)]
    pairs = list(itertools.pairwise(faces))[::2]
    each = [faces.count(face) for face in range(1, 7)]
    both = [pairs.count(pair) for pair in itertools.product(range(1, 7), repeat=2)]
    assert p_value(each, (1,) * 6) > 1e-4
    assert p_value(both, (1,) * 36) > 1e-4


@every("changed", ["seed", "a contribution", "whose", "their order", "none", "the nonce"])
def test_whatever_goes_in_moves_the_faces(changed: str) -> None:
    def faces(seed: bytes, contributions: list[tuple[str, str]], nonce: int) -> list[int]:
        roller = ProvableRoller(seed, contributions, nonce)
        return [roller(6) for _ in range(40)]

    changes = {
        "seed": (bytes(32), GIVEN, 57),
        "a contribution": (SEED, [GIVEN[0], ("Zoë", "something else entirely")], 57),
        "whose": (SEED, [GIVEN[0], ("Zoe", GIVEN[1][1])], 57),
        "their order": (SEED, GIVEN[::-1], 57),
        "none": (SEED, [], 57),
        "the nonce": (SEED, GIVEN, 58),
    }[changed]
    assert faces(*changes) != faces(SEED, GIVEN, 57)


def test_no_two_lists_of_contributions_are_the_same_bytes() -> None:
    assert packed([("ab", "c")]) != packed([("a", "bc")])
    assert packed([("a", "b"), ("c", "d")]) != packed([("a", "bcd")])
