"""The battles of a campaign, and one battle: its story, and every exchange with its dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.errors import BadInput
from tracker.reports.battle_rounds import rounds
from tracker.reports.names import Names
from tracker.server.pages import battle_picture, emblems, table
from tracker.server.pages.as_of import TimeChoice
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.rolls import CampaignRollMarks
from tracker.server.pages.words import addressed, here, names_of


class NotPlayedYet(BadInput):
    """Battle {battle} was not played yet after battle {after}. Choose a later point in time."""

    battle: int
    after: int


def battles(request: PageRequest) -> Mapping[str, Any]:
    """All of them, the newest first."""
    rows = request.data("battle list")["battles"]
    return {"battles": list(reversed(rows)), "names": names_of(request)}


def battle(request: PageRequest) -> Mapping[str, Any]:
    """One of them."""
    moment = TimeChoice.of(request)
    as_then = {"as_of_entry": moment.entry} if moment.as_then else {}
    shown = request.data("battle show", battle=request.path["battle"], **as_then)
    number = shown["battle"]["number"]
    if moment.after is not None and moment.after < number:
        raise NotPlayedYet(battle=number, after=moment.after)
    names = Names.of_state(request.boards.state_at(request.known_campaign, moment.as_of))
    rolls = CampaignRollMarks.of(request)
    disputed = {dispute["target_entry"] for dispute in shown["pending"]}
    turn = (shown["highlights"] or {}).get("turning_point") or {}
    return {
        "moment": moment,
        "shown": shown,
        "rounds": rounds(shown["entries"]),
        "unfolded": disputed | {turn.get("entry")},
        "names": names,
        "rolls": rolls if moment.is_now else rolls._replace(may_dispute=False, may_confirm=False),
        "card": _card(request, shown) if moment.is_now and request.strangers_may("battle show") else None,
        "sequences": _still_to_do(request, number) if moment.is_now else (),
        "pending": {depends["event"] for depends in shown["resting"]},
    }


def _still_to_do(request: PageRequest, battle: int) -> list[table.OpenSequence]:
    """The gangs that have what comes after this battle before them."""
    if not request.may("draft begin"):
        return []
    return [gang for gang in table.open_sequences(request) if gang.number == battle]


def _title(row: Mapping[str, Any]) -> str:
    return f"Battle {row['number']}: {row['scenario']}"


def _card(request: PageRequest, shown: Mapping[str, Any]) -> Mapping[str, str]:
    """What a chat program shows of a link to a battle of a public campaign."""
    row, found = shown["battle"], shown["highlights"]
    page = f"{request.address}{here(request, '/battles/' + addressed(row['battle']))}"
    return {
        "title": found["headline"] if found else _title(row),
        "description": f"{_title(row)}, {row['date']}",
        "page": page,
        "picture": f"{page}/picture.png" if found else "",
    }


def picture(request: PageRequest) -> bytes | None:
    """The card's picture, drawn once for each state of the log; none of a battle that was struck out."""
    shown = request.data("battle show", battle=request.path["battle"])
    row, found = shown["battle"], shown["highlights"]
    if found is None:
        return None
    names = names_of(request)

    def drawn() -> bytes:
        made = emblems.of_gangs(request.boards.state_at(request.known_campaign).gangs)
        title = f"{request.campaign_name()} · {_title(row)}"
        gangs = battle_picture.sides(found, names.gang, made, row["winner"])
        return battle_picture.picture(kicker=title, headline=found["headline"], gangs=gangs)

    return request.kept(f"picture of {row['battle']}", drawn)


def confirm(request: PageRequest, filled: FormValues) -> Redirect:
    """A second person saw a die fall."""
    address = request.path["event"]
    assert request.caller is not None, "who writes is signed in"
    request.do(
        "log confirm", sending=filled.sending(request.caller.actor), event=address, by=request.caller.actor
    )
    back = filled.get("back")
    if not back.startswith(here(request, "/")):  # nobody is sent elsewhere
        back = here(request, f"/log/{address.partition('.')[0]}")
    return Redirect(f"{back}#e{address}")
