"""People beside the log: who they are, what they are in a campaign, how they come in, and that they can be forgotten."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from clock_by_hand import Clock
from sqlalchemy import select, text

from tracker import schema
from tracker.errors import Refusal
from tracker.log import database
from tracker.people import records, refusals, secrets, storage
from tracker.people.records import Role
from tracker.service.application import Tracker
from tracker.service.clock import later

ASH, SUMP = "0190b000-0000-7000-8000-00000000000a", "0190b000-0000-7000-8000-00000000000b"


def joined(tracker: Tracker, name: str, *, role: Role = "player", campaign: str = ASH, **more: object) -> str:
    """A member; gives the id."""
    person = tracker.people.add(name)
    tracker.people.join(campaign, person.person, role=role, **more)  # type: ignore[arg-type]
    return person.person


def every_text(tracker: Tracker) -> str:
    """All that lies in the tables of people."""
    tables = [
        table for table in schema.metadata.sorted_tables if table.name.startswith(("people", "campaign_"))
    ]
    with database.reading(tracker.engine) as connection:
        return str([tuple(row) for table in tables for row in connection.execute(select(table))])


# --- who they are ------------------------------------------------------------------------------------------


def test_a_persons_id_is_short_printable_and_of_more_than_50_random_bits(tracker: Tracker) -> None:
    ids = {tracker.people.add(f"Robin {number}").person for number in range(20)}
    assert len(ids) == 20
    for person_id in ids:
        assert secrets.is_person_id(person_id)
        assert person_id.removeprefix("person-").isalnum()
        assert len(person_id) < 20
    assert 32**secrets.PERSON_LETTERS > 2**50
    assert not secrets.is_person_id("person-robin")


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 61, "Ro\u202ebin", "...", "person-k7f3m2q9abc", "A former player"]
)
def test_a_name_that_nobody_could_read_or_that_means_somebody_else_is_refused(
    tracker: Tracker, name: str
) -> None:
    with pytest.raises(refusals.PersonNameNotUsable):
        tracker.people.add(name)
    assert tracker.people.everybody() == ()


def test_entries_show_the_name_of_their_day(tracker: Tracker, clock: Clock) -> None:
    robin = tracker.people.add("Robin").person
    first = clock.at
    clock.pass_by(days=7)
    tracker.people.rename(robin, "Robin the Red")
    name_on = tracker.people.names([robin, "arb", "person-00000000000"])
    assert name_on(robin, first) == "Robin"
    assert name_on(robin, later(clock.at, timedelta(seconds=-1))) == "Robin"
    assert name_on(robin, clock.at) == "Robin the Red"
    assert name_on(robin, "2020-01-01T00:00:00Z") == "Robin", "an entry brought from elsewhere"
    assert name_on("arb", clock.at) == "arb", "typed at a terminal"
    assert name_on("person-00000000000", clock.at) == "person-00000000000", "of another database"


def test_a_forgotten_person_leaves_the_id_and_nothing_else(tracker: Tracker) -> None:
    people = tracker.people
    keeper = joined(tracker, "Keeper", role="arbitrator")
    robin = joined(tracker, "Robin Hoodwink", role="arbitrator")
    people.rename(robin, "Robin Hoodwinked")
    token = people.tokens.new(robin, label="my laptop", scope="write")
    session = people.sessions.new(robin, label="my phone")
    people.passkeys.add(robin, credential="Y3JlZA", public_key=b"key", label="yubi")
    people.passkeys.link(robin, "discord:8035111")
    link = people.invites.new(ASH, role="player", by=robin)
    back = people.invites.back(robin)

    people.forget(robin)

    left = every_text(tracker)
    for word in ("Hoodwink", "my laptop", "my phone", "yubi", "discord", "Y3JlZA"):
        assert word not in left, word
    assert robin in left
    assert people.names([robin])(robin, "2026-03-01T20:00:00Z") == "a former player"
    with pytest.raises(refusals.TokenNotValid):
        people.tokens.check(token.secret)
    with pytest.raises(refusals.SessionNotValid):
        people.sessions.check(session.secret)
    for secret in (link.secret, back.secret):
        with pytest.raises(refusals.InviteNotValid):
            people.invites.redeem(secret, name="Mallory")
    with pytest.raises(refusals.PasskeyNotValid):
        people.passkeys.by_credential("Y3JlZA")
    assert people.passkeys.person_of("discord:8035111") is None
    assert [member.person for member in people.members(ASH)] == [keeper]
    with pytest.raises(refusals.PersonForgotten):
        people.rename(robin, "Robin")
    with pytest.raises(refusals.PersonForgotten):
        people.tokens.new(robin, label="again")


@pytest.mark.postgres
def test_who_is_forgotten_while_they_rename_themselves_stays_forgotten(postgres_at_head: str) -> None:
    tracker = Tracker(postgres_at_head, actor="arbitrator")
    robin = joined(tracker, "Robin Hoodwink")
    said: list[str] = []
    renaming = threading.Thread(
        target=lambda: said.extend(at_once(lambda: tracker.people.rename(robin, "Robin Hoodwinked")))
    )
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    with database.writing(tracker.engine) as connection:
        storage.person(connection, robin, locked=True)
        renaming.start()
        while not connection.execute(waiting).scalar():
            renaming.join(0.01)
        storage.forget(connection, robin, name=records.FORMER_PLAYER, at="2026-03-01T20:00:00Z")
    renaming.join()
    assert said == ["PersonForgotten"]
    assert "Hoodwink" not in every_text(tracker)
    tracker.close()


def test_two_members_of_a_campaign_have_names_that_read_differently(tracker: Tracker) -> None:
    joined(tracker, "Robin")
    other = joined(tracker, "Sam")
    with pytest.raises(refusals.PersonNameTaken):
        tracker.people.rename(other, "ROBIN")
    greek = tracker.people.add("Rοbin")  # with a Greek letter
    with pytest.raises(refusals.PersonNameTaken):
        tracker.people.join(ASH, greek.person, role="player")
    tracker.people.join(SUMP, greek.person, role="player")


def test_people_are_found_by_name_or_id_and_two_of_one_name_by_id_only(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin")
    other = joined(tracker, "Robin", campaign=SUMP)
    assert tracker.people.named("robin", campaign=ASH).person == robin
    assert tracker.people.named(other).name == "Robin"
    with pytest.raises(refusals.PersonNameAmbiguous):
        tracker.people.named("Robin")
    with pytest.raises(refusals.UnknownPerson, match="Did you mean 'Robin'"):
        tracker.people.named("Robyn", campaign=ASH)


# --- campaigns ---------------------------------------------------------------------------------------------


def test_a_campaign_is_private_until_it_is_opened(tracker: Tracker) -> None:
    stranger = tracker.people.add("Stranger").person
    assert tracker.people.visibility(ASH) == "private"
    assert not tracker.people.standing(ASH, stranger).public
    tracker.people.set_visibility(ASH, "public")
    assert tracker.people.standing(ASH, None).public
    assert tracker.people.visibility(SUMP) == "private"
    tracker.people.set_visibility(ASH, "private")
    assert not tracker.people.standing(ASH, stranger).public


def test_a_member_of_one_campaign_is_nobody_in_another(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin", gangs=("skulls",))
    standing = tracker.people.standing(ASH, robin)
    assert (standing.role, standing.gangs) == ("player", ("skulls",))
    assert tracker.people.standing(SUMP, robin).role is None


def test_a_campaign_keeps_an_arbitrator(tracker: Tracker) -> None:
    people = tracker.people
    keeper = joined(tracker, "Keeper", role="arbitrator")
    robin = joined(tracker, "Robin", gangs=("skulls",))
    for leave in (
        lambda: people.remove(ASH, keeper),
        lambda: people.set_role(ASH, keeper, role="player"),
    ):
        with pytest.raises(refusals.LastArbitrator):
            leave()
    assert people.set_role(ASH, robin, role="arbitrator").gangs == ()
    people.remove(ASH, keeper)
    assert [(member.person, member.role) for member in people.members(ASH)] == [(robin, "arbitrator")]


def test_of_two_arbitrators_who_leave_at_once_one_stays(tracker: Tracker) -> None:
    two = [joined(tracker, name, role="arbitrator") for name in ("Robin", "Sam")]
    said = at_once(*(lambda person=person: tracker.people.remove(ASH, person) for person in two))
    assert sorted(said) == ["LastArbitrator", "done"]


def test_who_no_longer_arbitrates_invites_nobody_with_the_links_of_before(tracker: Tracker) -> None:
    joined(tracker, "Keeper", role="arbitrator")
    robin = joined(tracker, "Robin", role="arbitrator")
    link = tracker.people.invites.new(ASH, role="arbitrator", uses=5, by=robin)
    tracker.people.set_role(ASH, robin, role="player")
    with pytest.raises(refusals.InviteNotValid):
        tracker.people.invites.redeem(link.secret, name="Mallory")


def test_only_players_have_gangs(tracker: Tracker) -> None:
    with pytest.raises(refusals.OnlyPlayersHaveGangs):
        joined(tracker, "Robin", role="spectator", gangs=("skulls",))
    with pytest.raises(refusals.OnlyPlayersHaveGangs):
        tracker.people.invites.new(ASH, role="arbitrator", gangs=("skulls",))


def test_the_machines_own_person_arbitrates_where_nobody_does(tracker: Tracker) -> None:
    club = [
        tracker.commands.open_campaign(name=name, slug=name, book="necromunda_2023", preset=None).campaign
        for name in ("ash", "sump")
    ]
    robin = joined(tracker, "Robin", role="arbitrator", campaign=club[1])
    keeper = tracker.people.of_machine("Keeper")
    assert tracker.people.of_machine("Another name") == keeper
    assert tracker.people.standing(club[0], keeper.person).role == "arbitrator"
    assert [member.person for member in tracker.people.members(club[1])] == [robin]


# --- links -------------------------------------------------------------------------------------------------


def test_a_link_brings_a_new_person_in_with_role_and_gang(tracker: Tracker, clock: Clock) -> None:
    keeper = joined(tracker, "Keeper", role="arbitrator")
    link = tracker.people.invites.new(ASH, role="player", gangs=("skulls",), note="for Robin", by=keeper)
    assert tracker.people.invites.look(link.secret) == link.invite
    clock.pass_by(days=1)
    arrival = tracker.people.invites.redeem(link.secret, name="Robin")
    assert arrival.is_new
    assert arrival.member is not None
    assert (arrival.member.role, arrival.member.gangs, arrival.member.invited_by) == (
        "player",
        ("skulls",),
        keeper,
    )
    assert arrival.member.since == clock.at
    assert tracker.people.standing(ASH, arrival.person.person).gangs == ("skulls",)


def test_a_secret_lies_nowhere_but_with_who_got_it(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin")
    made = [
        tracker.people.invites.new(ASH, role="player").secret,
        tracker.people.tokens.new(robin, label="bot").secret,
        tracker.people.sessions.new(robin).secret,
        tracker.people.passkeys.challenge("register", {"challenge": "abc"}),
    ]
    left = every_text(tracker)
    for secret, prefix in zip(made, ("tri_", "trk_", "trs_", "trc_"), strict=True):
        assert secret.startswith(prefix)
        assert len(secret) == len(prefix) + 43, "256 bits in base64url"
        assert secret not in left
        assert secrets.hashed(secret) in left


def test_a_link_that_is_used_up_expired_revoked_or_made_up_says_the_same(
    tracker: Tracker, clock: Clock
) -> None:
    invites = tracker.people.invites
    used, revoked, expired = (invites.new(ASH, role="player", days=2) for _ in range(3))
    invites.redeem(used.secret, name="Robin")
    invites.revoke(ASH, revoked.invite.invite)
    clock.pass_by(days=1, hours=23, minutes=59)
    assert invites.look(expired.secret)
    clock.pass_by(minutes=1)
    said = set()
    for secret in (used.secret, revoked.secret, expired.secret, "tri_" + "A" * 43, "", "\ud800"):
        for enter in (invites.look, lambda secret: invites.redeem(secret, name="Mallory")):
            with pytest.raises(refusals.InviteNotValid) as refused:
                enter(secret)
            said.add(refused.value.message())
    assert len(said) == 1
    assert [member.role for member in tracker.people.members(ASH)] == ["player"]


def test_a_link_for_several_lets_as_many_in(tracker: Tracker) -> None:
    link = tracker.people.invites.new(ASH, role="spectator", uses=3)
    for name in ("Robin", "Sam", "Kim"):
        tracker.people.invites.redeem(link.secret, name=name)
    with pytest.raises(refusals.InviteNotValid):
        tracker.people.invites.redeem(link.secret, name="Mallory")
    assert len(tracker.people.members(ASH)) == 3


def test_of_two_who_redeem_the_last_use_at_once_one_comes_in(tracker: Tracker) -> None:
    for round_ in range(5):
        link = tracker.people.invites.new(ASH, role="player")
        before = len(tracker.people.members(ASH))
        said = at_once(
            *(
                lambda name=f"{name} {round_}", secret=link.secret: tracker.people.invites.redeem(
                    secret, name=name
                )
                for name in ("Robin", "Sam")
            )
        )
        assert sorted(said) == ["InviteNotValid", "done"]
        assert len(tracker.people.members(ASH)) == before + 1
        assert len(tracker.people.everybody()) == before + 1, "the other left no person behind"


def test_a_refused_redemption_does_not_use_the_link_up(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin")
    link = tracker.people.invites.new(ASH, role="player")
    for refused in (
        lambda: tracker.people.invites.redeem(link.secret, name="robin"),
        lambda: tracker.people.invites.redeem(link.secret, name=""),
        lambda: tracker.people.invites.redeem(link.secret, person_id=robin),
    ):
        with pytest.raises((refusals.PersonNameTaken, refusals.PersonNameNotUsable, refusals.MemberAlready)):
            refused()
    assert tracker.people.invites.redeem(link.secret, name="Sam").is_new


def test_a_link_gives_who_is_a_member_more_and_never_less(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin", gangs=("skulls",))
    more = tracker.people.invites.new(ASH, role="player", gangs=("saints",))
    assert tracker.people.invites.redeem(more.secret, person_id=robin).member.gangs == ("skulls", "saints")  # type: ignore[union-attr]
    less = tracker.people.invites.new(ASH, role="spectator")
    with pytest.raises(refusals.MemberAlready):
        tracker.people.invites.redeem(less.secret, person_id=robin)
    higher = tracker.people.invites.new(ASH, role="arbitrator")
    assert tracker.people.invites.redeem(higher.secret, person_id=robin).member.role == "arbitrator"  # type: ignore[union-attr]


@pytest.mark.parametrize("limits", [{"uses": 0}, {"uses": 101}, {"days": 0}, {"days": 366}])
def test_a_link_without_end_is_refused(tracker: Tracker, limits: dict[str, int]) -> None:
    with pytest.raises(refusals.InviteNotUsable):
        tracker.people.invites.new(ASH, role="player", **limits)  # type: ignore[arg-type]


def test_a_lost_key_is_a_link_back_once_and_the_link_before_ends(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin")
    first, second = tracker.people.invites.back(robin), tracker.people.invites.back(robin)
    with pytest.raises(refusals.InviteNotValid):
        tracker.people.invites.redeem(first.secret)
    arrival = tracker.people.invites.redeem(second.secret)
    assert (arrival.person.person, arrival.member, arrival.is_new) == (robin, None, False)
    with pytest.raises(refusals.InviteNotValid):
        tracker.people.invites.redeem(second.secret)


def test_a_link_back_is_for_an_arbitrator_of_all_that_it_opens(tracker: Tracker) -> None:
    people = tracker.people
    keeper = joined(tracker, "Keeper", role="arbitrator")
    robin = joined(tracker, "Robin")
    people.invites.back(robin, by=keeper)
    people.join(SUMP, robin, role="player")
    with pytest.raises(refusals.MayNotBringBack):
        people.invites.back(robin, by=keeper)
    people.join(SUMP, keeper, role="arbitrator")
    people.invites.back(robin, by=keeper)
    nowhere = people.add("Nowhere").person
    with pytest.raises(refusals.MayNotBringBack):
        people.invites.back(nowhere, by=keeper)


# --- tokens and sessions -----------------------------------------------------------------------------------


def test_a_token_is_checked_by_its_secret_alone(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin")
    made = tracker.people.tokens.new(robin, label="bot", scope="write", campaign=ASH)
    token = tracker.people.tokens.check(made.secret)
    assert token == made.token
    assert (token.person, token.campaign, token.scope) == (robin, ASH, "write")
    with pytest.raises(refusals.NoMember):
        tracker.people.tokens.new(robin, label="elsewhere", campaign=SUMP)


def test_a_wrong_an_expired_and_a_revoked_token_are_refused_in_the_same_words(
    tracker: Tracker, clock: Clock
) -> None:
    robin = joined(tracker, "Robin")
    tokens = tracker.people.tokens
    expired, revoked = tokens.new(robin, label="a", days=1), tokens.new(robin, label="b")
    tokens.revoke(robin, revoked.token.token)
    clock.pass_by(days=1)
    said = set()
    for secret in (expired.secret, revoked.secret, revoked.secret[:-1], "trk_", "", "\ud800"):
        with pytest.raises(refusals.TokenNotValid) as refused:
            tokens.check(secret)
        said.add(refused.value.message())
    assert len(said) == 1
    assert [tokens.is_in_force(token) for token in tokens.of(robin)] == [False, False], "its owner sees both"


def test_nobody_revokes_the_token_of_another(tracker: Tracker) -> None:
    robin, sam = joined(tracker, "Robin"), joined(tracker, "Sam")
    made = tracker.people.tokens.new(robin, label="bot")
    with pytest.raises(refusals.UnknownToken):
        tracker.people.tokens.revoke(sam, made.token.token)
    tracker.people.tokens.check(made.secret)
    tracker.people.tokens.revoke(robin, made.token.token)
    with pytest.raises(refusals.UnknownToken):
        tracker.people.tokens.revoke(robin, made.token.token)


def test_when_a_token_was_used_is_written_once_a_minute_at_most(tracker: Tracker, clock: Clock) -> None:
    robin = joined(tracker, "Robin")
    tokens = tracker.people.tokens
    secret = tokens.new(robin, label="bot").secret
    used = []
    for seconds in (0, 30, 29, 1):
        clock.pass_by(seconds=seconds)
        tokens.touch(tokens.check(secret))
        used.append(tokens.check(secret).last_used_at)
    assert used == ["2026-03-01T20:00:00Z"] * 3 + ["2026-03-01T20:01:00Z"]


def test_a_session_ends_by_time_by_signing_out_and_everywhere(tracker: Tracker, clock: Clock) -> None:
    robin = joined(tracker, "Robin")
    sessions = tracker.people.sessions
    phone, laptop, tablet = (sessions.new(robin, label=label) for label in ("phone", "laptop", "tablet"))
    assert sessions.check(phone.secret).person == robin
    assert sessions.end(robin, phone.session.session) == 1
    with pytest.raises(refusals.SessionNotValid):
        sessions.check(phone.secret)
    sessions.check(laptop.secret)
    assert sessions.end(robin) == 2
    for made in (laptop, tablet):
        with pytest.raises(refusals.SessionNotValid):
            sessions.check(made.secret)
    last = sessions.new(robin)
    clock.pass_by(days=30)
    with pytest.raises(refusals.SessionNotValid):
        sessions.check(last.secret)
    sessions.new(robin)
    assert len(sessions.of(robin)) == 1, "what expired is gone"


def test_when_a_session_was_seen_is_written_once_a_minute_at_most(tracker: Tracker, clock: Clock) -> None:
    robin = joined(tracker, "Robin")
    sessions = tracker.people.sessions
    secret = sessions.new(robin).secret
    clock.pass_by(seconds=59)
    sessions.touch(sessions.check(secret))
    assert sessions.check(secret).last_seen_at == "2026-03-01T20:00:00Z"
    clock.pass_by(seconds=1)
    sessions.touch(sessions.check(secret))
    assert sessions.check(secret).last_seen_at == clock.at


# --- keys and accounts elsewhere ---------------------------------------------------------------------------


def test_a_passkey_whose_count_does_not_go_up_may_be_a_copy(tracker: Tracker) -> None:
    robin = joined(tracker, "Robin")
    passkeys = tracker.people.passkeys
    passkeys.add(robin, credential="a", public_key=b"\x00\xff", sign_count=3, transports=("usb", "nfc"))
    passkeys.add(robin, credential="b", public_key=b"none")
    assert passkeys.by_credential("a").transports == ("usb", "nfc")
    assert passkeys.by_credential("a").public_key == b"\x00\xff"
    passkeys.used("a", sign_count=4)
    for count in (4, 3, 0):
        with pytest.raises(refusals.PasskeyNotValid):
            passkeys.used("a", sign_count=count)
    passkeys.used("b", sign_count=0)
    passkeys.used("b", sign_count=0)
    with pytest.raises(refusals.PasskeyTaken):
        passkeys.add(joined(tracker, "Sam"), credential="a", public_key=b"x")
    passkeys.remove(robin, "a")
    assert [passkey.credential for passkey in passkeys.of(robin)] == ["b"]


def test_an_account_elsewhere_is_one_person_here(tracker: Tracker) -> None:
    robin, sam = joined(tracker, "Robin"), joined(tracker, "Sam")
    passkeys = tracker.people.passkeys
    passkeys.link(robin, "discord:8035111")
    passkeys.link(robin, "discord:8035111")
    with pytest.raises(refusals.IdentityTaken):
        passkeys.link(sam, "discord:8035111")
    person = passkeys.person_of("discord:8035111")
    assert person is not None
    assert person.person == robin
    assert passkeys.unlink(sam, "discord:8035111") is False
    assert passkeys.unlink(robin, "discord:8035111") is True
    assert passkeys.identities(robin) == ()


def test_a_challenge_is_answered_once_for_its_purpose_and_in_time(tracker: Tracker, clock: Clock) -> None:
    passkeys = tracker.people.passkeys
    secret = passkeys.challenge("register", {"challenge": "abc"})
    with pytest.raises(refusals.ChallengeNotValid):
        passkeys.answer("sign in", secret)
    assert passkeys.answer("register", secret) == {"challenge": "abc"}
    with pytest.raises(refusals.ChallengeNotValid):
        passkeys.answer("register", secret)
    late = passkeys.challenge("register", {})
    clock.pass_by(minutes=5)
    with pytest.raises(refusals.ChallengeNotValid):
        passkeys.answer("register", late)
    assert secrets.hashed(late) not in every_text(tracker)


# --- beside the log ----------------------------------------------------------------------------------------


def test_the_log_and_its_proofs_know_nothing_of_people(tracker: Tracker) -> None:
    campaign = tracker.commands.open_campaign(
        name="Ash", slug="ash", book="necromunda_2023", preset=None
    ).campaign
    before = tracker.audit.verify(campaign)
    robin = joined(tracker, "Robin", campaign=campaign)
    tracker.people.set_visibility(campaign, "public")
    tracker.people.forget(robin)
    after = tracker.audit.verify(campaign)
    assert after.ok
    assert after == before
    tracker.audit.rebuild_boards(campaign)
    assert tracker.people.visibility(campaign) == "public", "no cache"


def test_a_database_of_before_there_were_people_gets_their_tables(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    engine = database.engine_for(url, make=True)
    with database.writing(engine) as connection:
        command.upgrade(database._alembic_config(connection), "0004")
    engine.dispose()
    tracker = Tracker(url, actor="arbitrator")
    assert tracker.people.add("Robin").name == "Robin"
    tracker.close()


def at_once(*works: object) -> list[str]:
    """What became of each, begun at the same moment in threads of their own."""
    gate, said = threading.Barrier(len(works)), []

    def run(work: object) -> None:
        gate.wait()
        try:
            work()  # type: ignore[operator]
        except Refusal as refusal:
            said.append(type(refusal).__name__)
        else:
            said.append("done")

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said
