"""What follows a battle as small forms in the steps of its checklist, without scripts."""

import pytest
from cli_arbitrator import ROOT, Arbitrator
from forms_seen import Form, Visitor, forms
from scenario import CLOSING, KRUG, given, opening
from served import Club

from tracker.campaign import records
from tracker.server.pages.forms import FormValues
from tracker.server.pages.post_battle import checklist

PLACE = "/campaigns/ash-wastes"
ENTER = "Enter it"


class AfterBattle(Visitor):
    """What a gang does after its last battle, as somebody fills it in."""

    def begin(self, gang: str) -> str:
        self.go(f"{PLACE}/record")
        form = next(form for form in forms(self.html) if form.action.endswith("/record/after"))
        button = next(words for words in form.buttons if words.startswith(gang))
        return self.send(form, button, {})

    def form_of(self, kind: str) -> Form:
        return next(form for form in forms(self.html) if form.fields.get("entry") == kind)

    def enter(self, kind: str, *, status: int = 200, **said: str) -> str:
        given = {f"{kind}.{key}": value for key, value in said.items()}
        return self.send(self.form_of(kind), ENTER, given, status=status)

    @property
    def asked(self) -> str:
        return self.html.partition('id="pad-words"')[2].partition("</h2>")[0].partition(">")[2]

    @property
    def entries(self) -> list[str]:
        return self.html.partition('class="happened"')[2].partition("</ol>")[0].split("<li")[1:]


@pytest.fixture
def mara(club: Club, table: Arbitrator) -> AfterBattle:
    """The Arbitrator, at what the Iron Skulls do."""
    table.done("campaign", "armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    visitor = AfterBattle(club.client, club.tokens["Mara"])
    visitor.begin("Iron Skulls")
    return visitor


def test_a_form_enters_its_entry_whatever_was_due_and_nobody_had_answered(mara: AfterBattle) -> None:
    assert "take part" in mara.asked
    shown = mara.enter("reward", credits="30", why="the loot")
    assert "the loot" in shown
    assert len(mara.entries) == 1
    mara.enter("took_part")  # what was due is left for later, and lost to nobody
    assert len(mara.entries) == 2


def test_a_form_offers_who_and_what_there_is(mara: AfterBattle) -> None:
    assert "krug" in mara.form_of("advance").choices["advance.fighter"]
    assert "Kettle Boy" in mara.form_of("hire").choices["hire.type"]


def test_what_a_form_leaves_open_is_asked_for(mara: AfterBattle) -> None:
    mara.enter("advance", fighter="krug")
    assert mara.asked == "What does Krug the Anvil take?"
    assert mara.entries == []


def test_a_hired_fighter_may_be_called_as_another_gangs_is_and_not_as_one_of_their_own(
    mara: AfterBattle,
) -> None:
    assert "enlisted already" in mara.enter("hire", status=422, type="Kettle Boy", name="Pip")
    assert mara.form_of("hire").fields["hire.name"] == "Pip"
    assert "Wren hired" in mara.enter("hire", type="Kettle Boy", name="Wren")
    assert len(mara.entries) == 1


def test_what_is_no_number_is_said_and_what_was_typed_stands(mara: AfterBattle) -> None:
    shown = mara.enter("reward", status=422, credits="a lot", why="the loot")
    assert "How many credits? Write a whole number, in digits." in shown
    assert mara.form_of("reward").fields["reward.why"] == "the loot"


def test_who_gets_credits_is_not_listed_among_those_who_pay_them(mara: AfterBattle) -> None:
    mara.enter("credits", reason="a debt", to="iron-skulls", amount="5")
    assert mara.asked == "Who pays?"
    listed = mara.html.partition('id="pad-words"')[2].partition("</form>")[0]
    assert 'value="@rewards"' in listed
    assert 'value="iron-skulls"' not in listed


def test_a_form_sent_twice_counts_once(mara: AfterBattle) -> None:
    form, said = mara.form_of("reward"), {"reward.credits": "30", "reward.why": "the loot"}
    mara.send(form, ENTER, said)
    mara.send(form, ENTER, said)
    assert len(mara.entries) == 1


def test_what_is_half_done_is_gone_on_with_and_what_is_recorded_is_not_offered_again(
    mara: AfterBattle, club: Club
) -> None:
    at = mara.at
    mara.begin("Iron Skulls")
    assert mara.at == at
    mara.enter("took_part")
    end = next(form for form in forms(mara.html) if "All of it is done" in form.buttons)
    mara.send(end, "All of it is done", {})
    mara.press("Record it")
    assert "Iron Skulls, after battle" not in mara.go(f"{PLACE}/record")
    assert "The Gilded Cage, after battle 2" in mara.html


def test_what_moves_another_gangs_credits_is_for_the_arbitrator_and_the_page_says_so(
    mara: AfterBattle, club: Club
) -> None:
    mara.enter("credits", reason="a debt", **{"from": "gilded-cage", "to": "iron-skulls", "amount": "5"})
    at = mara.at
    end = next(form for form in forms(mara.html) if "All of it is done" in form.buttons)
    mara.send(end, "All of it is done", {})
    dana = AfterBattle(club.client, club.tokens["Dana"])
    shown = dana.go(at)
    assert "something in it is not for this gang&#39;s player alone" in shown.replace("'", "&#39;")
    assert "Record it" not in [words for form in forms(shown) for words in form.buttons]


def test_the_checklist_stands_where_the_log_does_for_a_file_of_that_battle_alone() -> None:
    fought = given(battle=False).when(opening(1)).when(CLOSING)
    acted = fought.when(records.Trade(by=KRUG)).state
    battle = acted.after_battle["skulls"].battle

    def standing(of: str) -> dict[str, str]:
        document = f"format: post-battle/1\nbattle: {of}\ngang: skulls\n"
        return {step.name: step.when for step in checklist(document, (), acted, None, FormValues({}))}

    here = standing(battle)
    assert (here["4. Income"], here["5. Post-battle actions"]) == ("behind", "now")
    assert standing("another")["1. The Wrap-up"] == "now"


def test_without_a_list_the_steps_say_that_nobody_can_buy_and_what_was_passed(
    club: Club, table: Arbitrator
) -> None:
    """A step that was gone by with nothing in it is not settled."""
    mara = AfterBattle(club.client, club.tokens["Mara"])
    mara.begin("Iron Skulls")
    assert "Nobody can buy or hire" in mara.html
    assert f'<a href="{PLACE}/armoury">Make one of your cards' in mara.html
    table.done("campaign", "armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    mara.go(mara.at)
    assert "Nobody can buy or hire" not in mara.html
    mara.enter("took_part")
    mara.enter("reward", credits="30", why="the loot")
    badges = [step.partition("</summary>")[0] for step in mara.html.split('<li class="step ')[1:]]
    assert "Settled" in badges[0]
    assert "Passed" in badges[1], "no territory was taken"


def test_what_comes_after_is_offered_above_who_took_out_whom(club: Club) -> None:
    mara = Visitor(club.client, club.tokens["Mara"])
    mara.go(f"{PLACE}/battles/2")
    assert mara.html.index("What comes after it") < mara.html.index("versus-board")


def test_a_gang_whose_next_battle_would_end_what_nobody_recorded_is_to_do_until_something_is(
    mara: AfterBattle, table: Arbitrator
) -> None:
    lacks = "Iron Skulls: nothing is recorded yet of what follows battle 2. Their next battle ends it."
    ends = "2</a>: this battle ends it."
    assert lacks in mara.go(PLACE)
    assert mara.go(f"{PLACE}/record/battle").count(ends) == 2
    took_part = "{took_part: {gang: iron-skulls}}"
    file = f"format: post-battle/1\nbattle: b2\nentries: [{took_part}]\n"
    table.done("battle", "post", table.write(file, name="after.yaml"))
    assert lacks not in mara.go(PLACE)
    assert mara.go(f"{PLACE}/record/battle").count(ends) == 1
