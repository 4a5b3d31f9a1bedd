"""What is kept of drafts: records of rows."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from tracker.records import Record

Kind: TypeAlias = Literal["battle", "post-battle", "gang"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Draft(Record):
    """A report or a sheet that is being answered, whoever answers it.

    `text` is the file as an entry was settled last, and `lines` what was answered since; `said` and `decided`
    are what the last answer was met with. `revision` grows by one with each change. `seed` is what the tool's
    dice fall by: nobody is shown it.
    """

    campaign: str
    draft: str
    kind: Kind
    revision: int
    seed: str
    made_by: str
    made_at: str
    changed_by: str
    changed_at: str
    text: str = ""
    lines: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    decided: str = ""
