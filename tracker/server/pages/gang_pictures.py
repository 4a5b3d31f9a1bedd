"""The pictures of a gang: the uploaded emblem, and the preview picture of links in chat programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tracker.reports import cards
from tracker.reports.roster import GONE
from tracker.server.pages import battle_picture, emblems
from tracker.server.pages.forms import FormUnreadable, FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import addressed, here, names_of
from tracker.service import gang_emblems

RIGHT: Final = "roster show"
"""The right to see an emblem: to read the gang's page."""
FORM_BYTES_MAX: Final = gang_emblems.BYTES_MAX + 64 * 1024
_FILE: Final = "picture"


class UploadedPicture(NamedTuple):
    """An uploaded picture and its digest."""

    content: bytes | None
    digest: str


def uploaded_picture(request: PageRequest) -> UploadedPicture:
    """The picture in one size."""
    picture = request.tracker.emblems.picture(request.known_campaign, request.path["gang"])
    sizes = {} if picture is None else {"large": picture.large, "small": picture.small}
    return UploadedPicture(sizes.get(request.path["size"]), "" if picture is None else picture.digest)


def emblem(request: PageRequest) -> Mapping[str, Any]:
    """The page that changes the emblem."""
    gang = request.path["gang"]
    shown = request.data("gang show", gang=gang)
    uploaded = request.tracker.emblems.of(request.known_campaign)
    return {"gang": shown["gangs"][0], "is_uploaded": gang in uploaded}


def may_change(request: PageRequest, gang: str) -> bool:
    """Whether the person may change the gang's emblem; for the button."""
    state = request.boards.state_at(request.known_campaign)
    return request.may_record("gang emblem", [gang_emblems.ChangeEmblem(gang=gang)], state)


def upload(request: PageRequest, filled: FormValues) -> Redirect:
    """Store the chosen picture as the emblem."""
    sent = filled.files.get(_FILE)
    if sent is None or not sent.content:
        raise FormUnreadable(why="no picture was chosen")
    return _done(request, filled, files={"-": sent.content}, file="-")


def remove(request: PageRequest, filled: FormValues) -> Redirect:
    """Remove the picture: the emblem from the id is back."""
    return _done(request, filled, none=True)


def _done(request: PageRequest, filled: FormValues, **given: Any) -> Redirect:
    assert request.caller is not None, "who writes is signed in"
    gang = request.path["gang"]
    request.do("gang emblem", sending=filled.sending(request.caller.actor), gang=gang, **given)
    return Redirect(here(request, f"/gangs/{addressed(gang)}"))


# --- the card ----------------------------------------------------------------------------------------------


def card(request: PageRequest, row: Mapping[str, Any], facts: list[str]) -> Mapping[str, str]:
    """The link preview of a gang of a public campaign."""
    page = f"{request.address}{here(request, '/gangs/' + addressed(row['gang']))}"
    return {
        "title": row["name"],
        "description": ", ".join(facts),
        "page": page,
        "picture": f"{page}/picture.png",
    }


def card_picture(request: PageRequest) -> bytes:
    """The preview picture, drawn once for each state of the log and each emblem. Raises UnknownGang."""
    gang = request.path["gang"]
    (row,) = request.data("gang show", gang=gang)["gangs"]
    uploaded = request.tracker.emblems.picture(request.known_campaign, gang)

    def drawn() -> bytes:
        made = emblems.of_gangs(request.boards.state_at(request.known_campaign).gangs)
        colour = emblems.COLOURS[made[gang].colour]
        names = names_of(request)
        fighting = sum(1 for fighter in row["fighters"] if fighter["standing"] not in GONE)
        facts = (
            (names.money(row["rating_credits"]), "worth" if row.get("warband") else "rating"),
            (cards.counted(fighting, "fighter"), cards.counted(row["battles"], "battle")),
            (f"{row['won']} won", f"{row['drawn']} drawn, {row['lost']} lost"),
        )
        panels = [
            battle_picture.Side(name=fact, colour=colour, tally=below, won=False) for fact, below in facts
        ]
        return battle_picture.picture(
            kicker=request.campaign_name() or "",
            headline=row["name"],
            gangs=panels,
            emblem=None if uploaded is None else uploaded.large,
        )

    return request.kept(f"picture of {gang}, {uploaded.digest if uploaded else ''}", drawn)
