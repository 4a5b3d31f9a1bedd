"""What nobody may state today, though a log may hold it: cover for nothing, half-engaged fighters, crew's guns, promotions."""

from itertools import product

import pytest
from rides import RIG, riding
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    SKULLS,
    VEX,
    card,
    given,
    hit,
    injury,
    lasting,
    out_of_action,
    wound,
)
from shots import armed, gun, mode, shot, there
from tables import every

from tracker.campaign import records
from tracker.campaign.command_validation import (
    contradicted_claims,
    engaged_shooters,
    validate_new_command,
)
from tracker.campaign.conditions import in_condition
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library
from tracker.dice import read_die
from tracker.records import replace
from tracker.rules import loader

BOOKS = ("necromunda_2023", "necromunda_archive")


def by(*patches: tuple[str, dict[str, str]], book: str = BOOKS[0]) -> Library:
    """A library with one rulebook."""
    return lambda _name, _patches: loader.rulebook(book, patches)


PRINTED = by()
HOUSE_RULE = by(("pistols@1", {"crew.own_weapons": "any_pistol"}))


# --- a promotion ------------------------------------------------------------------------------------------


def in_phase(phase: str | None) -> CampaignState:
    table = given(battle=False)
    return (
        table.when(records.BeginCycle(reason="test", phase=phase)).state if phase is not None else table.state
    )


@every(
    ("phase", "phase_name"),
    [("occupation", "Occupation"), ("downtime", ""), ("takeover", "Takeover"), (None, "")],
)
def test_juves_and_prospects_rise_in_downtime_where_a_campaign_has_cycles(
    phase: str | None, phase_name: str
) -> None:
    state = in_phase(phase)
    rising = records.PromoteFighter(fighter=VEX, category="ganger", kind="Ganger")
    validate_new_command(state, replace(rising, beyond_rules=True), PRINTED)
    if not phase_name:
        validate_new_command(state, rising, PRINTED)
        return
    with pytest.raises(
        records.NoPromotionsNow, match=f"Nobody is promoted in {phase_name}, only in Downtime.*--beyond-rules"
    ):
        validate_new_command(state, rising, PRINTED)


# --- a Reload ---------------------------------------------------------------------------------------------


@every(
    ("condition", "condition_name"),
    [("broken", "Broken"), ("seriously_injured", "Seriously Injured"), ("webbed", "Webbed"), ("pinned", "")],
)
def test_a_broken_or_helpless_fighter_makes_no_reload(condition: str, condition_name: str) -> None:
    state = in_condition(armed().state, MAGS, {condition: True})
    reload = records.Reload(fighter=MAGS, weapon="gun")
    if not condition_name:
        validate_new_command(state, reload, PRINTED)
        return
    with pytest.raises(records.NoReloadNow, match=f"Mags is {condition_name} and makes no Reload"):
        validate_new_command(state, reload, PRINTED)
    validate_new_command(state, records.Reload(fighter=VEX, weapon="gun"), PRINTED)


# --- standing up ------------------------------------------------------------------------------------------


def test_a_broken_fighter_does_not_stand_up_until_rallied() -> None:
    state = in_condition(armed().state, MAGS, {"pinned": True})
    validate_new_command(state, records.Unpin(fighter=MAGS), PRINTED)
    with pytest.raises(records.BrokenStaysDown, match="Mags is Broken and makes no action but Running"):
        validate_new_command(
            in_condition(state, MAGS, {"broken": True}), records.Unpin(fighter=MAGS), PRINTED
        )


@every("stands_up", [records.Unpin(fighter=MAGS), records.StandUpByTest(fighter=MAGS)])
def test_a_webbed_fighter_does_not_stand_up_before_the_web_is_shed(stands_up: records.Command) -> None:
    pinned = in_condition(armed().state, MAGS, {"pinned": True})
    validate_new_command(pinned, stands_up, PRINTED)
    with pytest.raises(records.NotPinned, match="Mags is Webbed and cannot stand up"):
        validate_new_command(in_condition(pinned, MAGS, {"webbed": True}), stands_up, PRINTED)


# --- shots ------------------------------------------------------------------------------------------------


@every("action", [None, "basic", "double"])
@every("twin", [True, False])
def test_twin_guns_blaze_in_one_basic_action(action: str | None, twin: bool) -> None:
    also = records.SecondSidearm(weapon="gun", range_band="short") if twin else None
    command = shot(action=action, also=also)
    if twin and action == "double":
        with pytest.raises(records.SituationContradicts, match="fired in one Basic action"):
            validate_new_command(given().state, command, PRINTED)
    else:
        validate_new_command(given().state, command, PRINTED)


# --- cover and the save ------------------------------------------------------------------------------------


@every(
    ("trait", "cover"),
    list(
        product(
            ("", "Rapid Fire (1)", "Gas", 'Blast (3")', "Template", "blast (5)"), ("none", "partial", "full")
        )
    ),
)
def test_cover_helps_the_save_against_blast_and_template_alone(trait: str, cover: str) -> None:
    command = hit(VEX, by=MAGS, traits=(trait,) if trait else (), save_cover=cover)
    helps = cover == "none" or trait.lower().startswith(("blast", "template"))
    if helps:
        validate_new_command(given().state, command, PRINTED)
        return
    with pytest.raises(records.SituationContradicts, match="neither Blast nor Template"):
        validate_new_command(given().state, command, PRINTED)


def test_cover_counts_by_the_weapon_profile_that_is_named() -> None:
    bore = gun("bore", profiles=(mode("slug"), mode("frag", 'Blast (3")')))
    table = armed(bore)

    def covered(profile: str | None) -> records.ResolveHit:
        return records.ResolveHit(
            target=KRUG, attacker=MAGS, weapon="Bore", profile_name=profile, save_cover="full"
        )

    validate_new_command(table.state, covered("frag"), PRINTED)
    with pytest.raises(records.SituationContradicts):
        validate_new_command(table.state, covered("slug"), PRINTED)
    # What is not on the card, or not said, the decision itself refuses.
    validate_new_command(table.state, covered(None), PRINTED)
    validate_new_command(
        table.state, records.ResolveHit(target=KRUG, weapon="bore", save_cover="full"), PRINTED
    )


def test_cover_against_a_hit_that_a_log_holds_is_decided_again_as_it_was() -> None:
    table = given().when(hit(VEX, by=MAGS, save_cover="full"), wound(4), read_die("save", "D6", 5))
    assert table.combatant(VEX).wounds_left == 1
    given().when(hit(VEX, by=MAGS, save_cover="full"), wound(4), read_die("save", "D6", 4), injury("flesh"))


# --- engaged with whom -------------------------------------------------------------------------------------


@every("listed", ["at_risk", "under_marker", "under_misfire", "under_template", "hits_on"])
def test_a_model_engaged_with_one_at_risk_is_stated_as_engaged_too(listed: str) -> None:
    held = there(VEX, engaged=True, engaged_with=(DOT,))
    state = given().state
    for free, refused in ((False, True), (True, False)):
        models = (held, there(DOT, engaged=free))
        command = records.Shoot(attacker=MAGS, weapon="gun", **{listed: models})  # type: ignore[arg-type]
        if refused:
            with pytest.raises(records.SituationContradicts, match="'engaged: true'"):
                validate_new_command(state, command, PRINTED)
        else:
            validate_new_command(state, command, PRINTED)


def test_a_target_who_holds_a_model_at_risk_is_engaged() -> None:
    held = there(DOT, engaged=True, engaged_with=(KRUG,))
    with pytest.raises(records.SituationContradicts, match="a target without"):
        validate_new_command(given().state, shot(at_risk=(held,)), PRINTED)
    validate_new_command(given().state, shot(at_risk=(held,), engaged=True), PRINTED)


def test_a_shooter_who_is_engaged_is_said_aloud() -> None:
    state = given().state
    held = there(KRUG, engaged=True, engaged_with=(MAGS,))
    command = records.Shoot(attacker=MAGS, weapon="gun", under_template=(held,))
    (said,) = engaged_shooters((command,), state)
    assert said.startswith("Mags shoots while Engaged, as stated")
    free = there(KRUG, engaged=True, engaged_with=(DOT,))
    assert not list(engaged_shooters((shot(), shot(at_risk=(free,)), hit(VEX)), state))


# --- claims that the record contradicts ---------------------------------------------------------------------


def skipping(**more) -> records.Shoot:
    """Mags, at Long range, shoots at Vex over Krug, who is said to be harder to hit."""
    nearer = (records.NearerEnemy(model=KRUG, because="harder_to_hit"),)
    return shot(VEX, **{"range_band": "long", "closest": False, "nearer": nearer, **more})


@every(
    ("krug", "vex", "stated", "krug_at_worst"),
    [
        ("standing", {}, {}, None),  # he may be in full cover, and Engaged
        ("standing", {"cover": "full"}, {}, None),
        ("standing", {"cover": "full", "engaged": True}, {}, 3),  # -3 is the worst there is
        (
            "prone",
            {"range_band": "short"},
            {},
            0,
        ),  # Prone costs nothing at Short range, and in cover he hides
        ("prone", {}, {}, None),  # -1 at Long range against nothing
        ("prone", {"cover": "partial"}, {}, 1),
    ],
)
def test_a_nearer_enemy_who_cannot_be_harder_to_hit_is_said_aloud(
    krug: str, vex: dict[str, object], stated: dict[str, object], krug_at_worst: int | None
) -> None:
    """A gun without accuracy: cover -1 and -2, Engaged -1, Prone -1 at Long range."""
    state = armed(gun(accuracy_short=0, accuracy_long=0)).state
    state = in_condition(state, KRUG, {"pinned": krug == "prone"})
    claims = list(contradicted_claims(state, skipping(**vex, **stated)))
    assert len(claims) == (krug_at_worst is not None)
    if claims:
        assert claims[0].startswith("Krug is skipped as harder to hit than Vex, which contradicts")
        assert claims[0].endswith(f"at -{krug_at_worst} at worst.")


def test_accuracy_that_hinders_at_one_range_makes_an_enemy_harder_to_hit_there() -> None:
    """-1 at Short range, where Krug stands Prone, and nothing at Long range, where Vex stands."""
    state = in_condition(armed(gun(accuracy_short=-1, accuracy_long=0)).state, KRUG, {"pinned": True})
    assert not list(contradicted_claims(state, skipping()))


def test_a_webbed_enemy_is_prone_and_so_at_short_range_not_harder_to_hit() -> None:
    """The Webbed count as Seriously Injured: Prone, which costs nothing at Short range."""
    state = in_condition(armed(gun(accuracy_short=0, accuracy_long=0)).state, KRUG, {"webbed": True})
    (claim,) = contradicted_claims(state, skipping(range_band="short"))
    assert claim.endswith("and Krug, Prone, at -0 at worst.")


def test_a_gang_that_claims_scrap_beside_enemies_who_remained_is_said_aloud() -> None:
    claim = records.ClaimScrap(gang=SKULLS)
    table = given().when(CLOSING)
    (said,) = contradicted_claims(table.state, claim)
    assert "claims to have remained alone on the battlefield, but by the record" in said
    assert "Mags" in said
    assert "Dot" in said
    fled = given()
    for saint in (MAGS, DOT):
        fled = fled.when(out_of_action(saint, by=KRUG), lasting(2, 1))
    assert not list(contradicted_claims(fled.when(CLOSING).state, claim))
    assert not list(contradicted_claims(given(battle=False).state, claim))


# --- what the crew of a vehicle fires ------------------------------------------------------------------------

GUNS = (gun("stubber"), gun("pistol", "Sidearm"))


@every("book", BOOKS)
@every("weapon", ["stubber", "pistol"])
@every("from_vehicle", [None, RIG])
def test_crew_fire_sidearms_of_their_own_and_the_vehicle_s_weapons(
    book: str, weapon: str, from_vehicle: str | None
) -> None:
    state = riding(fighters=(card(VEX, weapons=GUNS),), book=book).state
    command = records.Shoot(
        attacker=VEX, weapon=weapon, target=MAGS, range_band="short", from_vehicle=from_vehicle
    )
    if weapon == "stubber" and from_vehicle is None:
        with pytest.raises(records.CrewFiresSidearms, match="from_vehicle"):
            validate_new_command(state, command, by(book=book))
    else:
        validate_new_command(state, command, by(book=book))


def test_by_house_rule_crew_fire_any_pistol_and_which_is_one_the_players_know() -> None:
    state = riding(fighters=(card(VEX, weapons=GUNS),)).state
    validate_new_command(
        state, records.Shoot(attacker=VEX, weapon="stubber", target=MAGS, range_band="short"), HOUSE_RULE
    )


def test_a_fighter_who_drives_nothing_fires_any_weapon() -> None:
    state = riding(fighters=(card(KRUG, weapons=GUNS),)).state
    validate_new_command(
        state, records.Shoot(attacker=KRUG, weapon="stubber", target=MAGS, range_band="short"), PRINTED
    )


def test_the_rank_of_crew_is_enough_to_fire_sidearms_alone() -> None:
    state = given(card(VEX, category="crew", weapons=GUNS)).state
    with pytest.raises(records.CrewFiresSidearms):
        validate_new_command(
            state, records.Shoot(attacker=VEX, weapon="stubber", target=MAGS, range_band="short"), PRINTED
        )


def test_a_weapon_written_out_for_crew_counts_by_its_own_traits() -> None:
    state = riding().state
    for profile, refused in ((mode(""), True), (mode("", "Sidearm"), False)):
        command = records.Shoot(
            attacker=VEX, weapon="borrowed", profile=profile, target=MAGS, range_band="short"
        )
        if refused:
            with pytest.raises(records.CrewFiresSidearms):
                validate_new_command(state, command, PRINTED)
        else:
            validate_new_command(state, command, PRINTED)


# --- what a Hit roll needed -------------------------------------------------------------------------------


def test_what_a_hit_roll_needed_is_said_of_close_combat_attacks_that_hit_alone() -> None:
    """Only those may still be parried or stepped aside from, by a Hit roll made again."""
    state = given().state
    blow = replace(hit(VEX, by=MAGS), in_close_combat=True, hit_needs=4)
    for fits in (blow, replace(blow, hit_roll=4), replace(blow, in_close_combat=False, hit_needs=None)):
        validate_new_command(state, fits, PRINTED)
    for wrong in (
        replace(blow, in_close_combat=False),
        replace(blow, attack=False),
        replace(blow, hit_roll=3),
    ):
        with pytest.raises(records.SituationContradicts, match="'hit_needs: 4' does not go with"):
            validate_new_command(state, wrong, PRINTED)
