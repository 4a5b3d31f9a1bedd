"""The rights table: every operation by every role, and what is a player's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click
import pytest
from tables import every
from torture.writing import READING, WRITING

from tracker.cli.main import arbitrator
from tracker.people.records import AT_THE_MACHINE, GANG_TO_COME, CampaignStanding
from tracker.rights import (
    OWN,
    RIGHTS,
    WHO,
    AccessRequest,
    NotAllowed,
    Right,
    is_for_strangers,
    may,
    require,
    why_not,
)

ROBIN, SAM = "person-00000000001", "person-00000000002"
ROLES = {
    "nobody": CampaignStanding(),
    "stranger": CampaignStanding(person=SAM),
    "visitor": CampaignStanding(public=True),
    "spectator": CampaignStanding(person=ROBIN, role="spectator"),
    "player": CampaignStanding(person=ROBIN, role="player", gangs=("skulls",)),
    "arbitrator": CampaignStanding(person=ROBIN, role="arbitrator"),
    "machine": AT_THE_MACHINE,
}


def operations(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from operations(found, (*before, name))
        elif found is not None:
            yield " ".join((*before, name)), found


def test_every_command_has_a_declared_right_and_every_right_a_command() -> None:
    assert {name for name, _ in operations(arbitrator)} == RIGHTS.keys()


ALLOWED = {
    "anyone": ["nobody", "stranger", "visitor", "spectator", "player", "arbitrator", "machine"],
    "signed in": ["stranger", "spectator", "player", "arbitrator", "machine"],
    "reader": ["visitor", "spectator", "player", "arbitrator", "machine"],
    "member": ["spectator", "player", "arbitrator", "machine"],
    "player": ["player", "arbitrator", "machine"],
    "arbitrator": ["arbitrator", "machine"],
    "machine": ["machine"],
}


@every("operation", RIGHTS)
@every("role", ROLES)
def test_role_by_operation(role: str, operation: str) -> None:
    right, standing = RIGHTS[operation], ROLES[role]
    allowed = role in ALLOWED[right.who]
    if right.own == "oneself":
        allowed = standing.person is not None or standing.machine
    if right.own == "battle" and role == "player":
        allowed = False  # unless the campaign says so: below
    assert may(standing, operation) is allowed
    if not allowed:
        with pytest.raises(NotAllowed) as refused:
            require(standing, operation)
        assert refused.value.message().startswith(f"You may not ask for {operation!r} here: ")


def test_campaigns_are_begun_by_who_is_signed_in_unless_the_host_closed_that() -> None:
    somebody = CampaignStanding(person=ROBIN)
    assert may(somebody, "campaign new")
    closed = CampaignStanding(person=ROBIN, may_begin=False)
    assert "the host has closed that" in why_not(closed, "campaign new")
    assert may(AT_THE_MACHINE, "campaign new")


def test_a_player_with_a_gang_to_come_enlists_one_gang_and_no_more() -> None:
    player = CampaignStanding(person=ROBIN, role="player", gangs=(GANG_TO_COME,))
    one, two = frozenset({"saints"}), frozenset({"saints", "rats"})
    assert may(player, "gang add", AccessRequest(gangs=one, beginning=one))
    assert not may(player, "gang add", AccessRequest(gangs=two, beginning=two))
    assert not may(player, "gang add", AccessRequest(gangs=one)), "one that is there is somebody's"
    both = AccessRequest(gangs=two, beginning=one)
    assert not may(player, "gang add", both), "nor one beside somebody else's"
    assert not may(ROLES["player"], "gang add", AccessRequest(gangs=one, beginning=one))


def test_what_has_no_right_is_for_the_machine_alone() -> None:
    assert [role for role, standing in ROLES.items() if may(standing, "gang explode")] == ["machine"]
    assert not is_for_strangers("gang explode")


OF_NO_CAMPAIGN = """
judge, odds, rules list, rules show, armoury check, armoury import, armoury merge, armoury show, schema, login, logout,
completion, help
"""


def test_who_is_nobody_asks_for_what_is_of_no_campaign_and_for_the_list_of_the_public_ones() -> None:
    """The page has one column for both: whoever comes, and who comes where the campaign is public."""
    of_no_campaign = {*OF_NO_CAMPAIGN.replace("\n", " ").strip().split(", ")}
    assert {name for name in RIGHTS if may(ROLES["nobody"], name)} == {*of_no_campaign, "campaign list"}


@every("operation", RIGHTS)
def test_who_is_not_signed_in_reads_what_a_visitor_of_a_public_campaign_may_and_writes_nothing(
    operation: str,
) -> None:
    assert is_for_strangers(operation) is (may(ROLES["visitor"], operation) and not RIGHTS[operation].writes)


BEYOND_RULES = ("gang buy", "gang hand-over", "fighter hire", "fighter promote")
ARBITRATORS_ALONE = """
campaign cycle, gang amend, gang credits, gang release, gang reputation, gang territory, fighter award, battle amend,
entry add, entry amend, audit witnesses, dice use, dice withheld, dice abandon, dispute rule, rollback rule, policy adopt, policy repeal
"""


@every("operation", ARBITRATORS_ALONE.replace("\n", " ").strip().split(", "))
def test_only_arbitrators_rule_roll_back_adopt_and_put_right(operation: str) -> None:
    assert RIGHTS[operation].who == "arbitrator"
    everything = AccessRequest(gangs=frozenset({"skulls"}), person=ROBIN)
    assert not may(ROLES["player"], operation, everything)
    assert may(ROLES["arbitrator"], operation, everything)


@every("operation", [name for name, right in RIGHTS.items() if right.own == "gang"])
def test_a_player_does_it_for_their_own_gangs_alone(operation: str) -> None:
    player = ROLES["player"]
    assert may(player, operation, AccessRequest(gangs=frozenset({"skulls"})))
    for others in ({"saints"}, {"skulls", "saints"}):
        assert "saints is not yours" in why_not(player, operation, AccessRequest(gangs=frozenset(others)))
        assert may(ROLES["arbitrator"], operation, AccessRequest(gangs=frozenset(others)))
    for nothing in (None, frozenset[str]()):
        assert not may(player, operation, AccessRequest(gangs=nothing))
        assert may(ROLES["arbitrator"], operation, AccessRequest(gangs=nothing))
    without = CampaignStanding(person=ROBIN, role="player")
    assert not may(without, operation, AccessRequest(gangs=frozenset({"skulls"})))


@every(
    ("operation", "option"),
    [("gang buy", "--given"), *((name, "--beyond-rules") for name in BEYOND_RULES)],
)
def test_what_the_rules_do_not_give_an_arbitrator_gives(operation: str, option: str) -> None:
    request = AccessRequest(gangs=frozenset({"skulls"}), options=("--reason", option))
    assert why_not(ROLES["player"], operation, request) == f"{option} is for Arbitrators"
    assert may(ROLES["arbitrator"], operation, request)


def test_a_player_where_the_arbitrators_record_is_shown_how_to_send_a_report_in() -> None:
    player = CampaignStanding(person=ROBIN, role="player", gangs=frozenset({"skulls"}))
    assert "arbitrator battle propose" in why_not(player, "battle record", None)


def test_an_option_for_arbitrators_is_an_option_of_its_command_and_every_such_option_is_theirs() -> None:
    for operation, command in operations(arbitrator):
        options = {option for parameter in command.params for option in parameter.opts}
        right = RIGHTS[operation]
        assert {*right.arbitrator_only} <= options, operation
        if right.own == "gang":
            assert {"--beyond-rules", "--given"} & options <= {*right.arbitrator_only}, operation


@every("operation", [name for name, right in RIGHTS.items() if right.own == "battle"])
def test_players_record_battles_where_the_campaign_lets_them_and_their_gang_fought(operation: str) -> None:
    fought = AccessRequest(gangs=frozenset({"skulls", "saints"}))
    assert not may(ROLES["player"], operation, fought)
    let = CampaignStanding(person=ROBIN, role="player", gangs=("skulls",), players_record=True)
    assert may(let, operation)
    assert may(let, operation, fought)
    assert not may(let, operation, AccessRequest(gangs=frozenset({"saints", "rats"})))
    assert not may(CampaignStanding(person=ROBIN, role="spectator", players_record=True), operation, fought)


@every("operation", ["battle confirm", "battle object", "battle propose", "battle withdraw"])
def test_a_player_answers_for_a_battle_that_a_gang_of_theirs_fought_whoever_records(operation: str) -> None:
    player, others = ROLES["player"], frozenset({"saints", "rats"})
    assert may(player, operation)
    assert may(player, operation, AccessRequest(gangs=frozenset({"skulls", "saints"})))
    assert "rats, saints are not yours" in why_not(player, operation, AccessRequest(gangs=others))
    assert not may(player, operation, AccessRequest())
    assert may(ROLES["arbitrator"], operation, AccessRequest(gangs=others))


@every("operation", ["log confirm", "dispute open", "dispute withdraw", "dice contribute", "dice reveal"])
def test_a_player_speaks_for_nobody_else(operation: str) -> None:
    assert may(ROLES["player"], operation, AccessRequest(person=ROBIN))
    assert not may(ROLES["player"], operation, AccessRequest(person=SAM))
    assert not may(ROLES["player"], operation, AccessRequest())
    assert may(ROLES["arbitrator"], operation, AccessRequest(person=SAM))


def test_who_opened_a_dispute_or_whose_gang_it_is_about_speaks_on_it() -> None:
    player, both = ROLES["player"], frozenset({"skulls", "saints"})
    assert may(player, "dispute comment", AccessRequest(person=ROBIN, gangs=both, opened_by=SAM))
    assert may(player, "dispute comment", AccessRequest(person=ROBIN, gangs=frozenset(), opened_by=SAM))
    assert may(
        player, "dispute comment", AccessRequest(person=ROBIN, gangs=frozenset({"rats"}), opened_by=ROBIN)
    )
    assert not may(
        player, "dispute comment", AccessRequest(person=ROBIN, gangs=frozenset({"rats"}), opened_by=SAM)
    )
    assert not may(player, "dispute comment", AccessRequest(person=SAM, gangs=both, opened_by=ROBIN))
    assert may(ROLES["arbitrator"], "dispute comment", AccessRequest(person=SAM, gangs=frozenset({"rats"})))


ONESELF = [name for name, right in RIGHTS.items() if right.own == "oneself"]


@every("operation", ONESELF)
@every("role", ["stranger", "spectator", "player", "arbitrator"])
def test_what_is_each_persons_own_nobody_else_does_not_even_an_arbitrator(role: str, operation: str) -> None:
    standing = ROLES[role]
    other = SAM if standing.person == ROBIN else ROBIN
    assert may(standing, operation, AccessRequest(person=standing.person))
    assert not may(standing, operation, AccessRequest(person=other))
    assert not may(standing, operation, AccessRequest())
    assert may(AT_THE_MACHINE, operation, AccessRequest(person=other))


def test_a_token_makes_no_other_and_opens_no_more_than_it_does() -> None:
    token = CampaignStanding(person=ROBIN, role="arbitrator", by_token=True)
    for operation in ONESELF:
        assert may(token, operation, AccessRequest(person=ROBIN)) is not RIGHTS[operation].writes
    assert not may(token, "member invite", AccessRequest(options=("--back",)))
    assert may(token, "member invite", AccessRequest(options=("--role",)))
    assert may(ROLES["arbitrator"], "member invite", AccessRequest(options=("--back",)))


def test_the_table_writes_what_the_commands_write() -> None:
    """Held against the commands that faults are tried on, and those that leave the log alone."""
    asked = {" ".join(entry.words) for entry in WRITING}
    for operation, right in RIGHTS.items():
        if tuple(operation.split()) in READING:
            assert not right.writes, operation
        elif operation not in ("campaign export", "db backup") and any(
            words.startswith(operation) for words in asked
        ):
            assert right.writes, operation


# --- the page ----------------------------------------------------------------------------------------------

HEADING = """\
# Who may do what

Every command of the command line is an operation of the service. This page lists who may ask for which. `make golden` writes
it from the table that the service reads (`tracker/rights.py`). A command without a declared right fails the tests, and the
service refuses it to everybody who does not sit at the machine. [People](people.md) explains how somebody gets a role.

- **visitor**: anybody, where the campaign is public. Only members see a private campaign.
- **spectator**: a member who reads.
- **player**: a member who plays one gang or several. They do what concerns their own.
- **Arbitrator**: may do everything for everybody in the campaign, except what is each person's own: their name, their
  tokens.
- **machine**: the person at the machine that keeps the database. That person could change the file itself, so may ask for
  everything. The word *machine* in the last column marks what only they may ask for.

A token that only reads may ask for nothing that writes. No token may do what is for *oneself* and **writes**. The rules of the
game hold for everybody who asks.

| Operation | Visitor | Spectator | Player | Arbitrator | |
|---|---|---|---|---|---|
"""


def test_the_page_is_current(golden: Callable[[str, str], None]) -> None:
    golden("../docs/rights.md", HEADING + "".join(row(name, right) for name, right in RIGHTS.items()))


def row(operation: str, right: Right) -> str:
    cells = [cell(role, right) for role in ("visitor", "spectator", "player", "arbitrator")]
    notes = [right.note] if right.note else []
    if right.arbitrator_only:
        notes.append(f"{', '.join(f'`{option}`' for option in right.arbitrator_only)}: Arbitrators")
    if right.in_person:
        notes.append(f"{', '.join(f'`{option}`' for option in right.in_person)}: not by a token")
    if right.who == "machine":
        notes.insert(0, "machine")
    if right.who == "signed in":
        notes.insert(0, "anybody who is signed in")
    writes = "**writes**" if right.writes else ""
    said = "; ".join(filter(None, [writes, *notes]))
    return f"| `{operation}` | {' | '.join(cells)} | {said} |\n"


def cell(role: str, right: Right) -> str:
    if right.own == "oneself":
        return "–" if role == "visitor" else OWN["oneself"]
    if role not in ALLOWED[right.who]:
        return "–"
    return OWN[right.own] if role == "player" and right.own not in (None, "open") else "yes"


def test_the_page_says_what_each_word_means() -> None:
    assert all(right.who in WHO for right in RIGHTS.values())
    assert all(right.own is None or right.own in OWN for right in RIGHTS.values())
