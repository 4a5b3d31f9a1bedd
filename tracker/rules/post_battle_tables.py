"""The post-battle sequence and territories as a book prints them: steps, who may act, numbers, incomes.

Knows the content of the file. Knows no gang: the decisions are in `campaign/steps/`. A part that a book lacks
(a capture roll, an escape roll, phases) is None or empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_repeated, refuse_unknown

TriumphBy: TypeAlias = Literal["territories", "out_of_action_and_wrecks", "wealth", "battles", "reputation"]


class SequenceStep(BookTable):
    """One step of the sequence; `section` is its place in the book."""

    step: str = field(name="id")
    name: str
    section: str


class EscapeRules(BookTable):
    """The escape roll: a modified D6 of `target` or more, or a natural `natural`."""

    target: int
    natural: int
    drawn: int
    lost: int
    webbed: int


class CaptureRules(BookTable):
    """The capture roll: 2D6 against a level, and the modifiers for enemies and helpers of each kind."""

    level: int
    level_law_and_misrule: int
    out_of_action: int
    bounty_hunter: int
    webbed: int
    restrained: int
    water_guild: int


class CaptivePrices(BookTable):
    """The price of a captive, in percent of the full cost."""

    guilders_percent: int
    bounty_percent: int
    freed_by_campaign_percent: int


class DoctorRules(BookTable):
    """The Doc: credits per pip of 2D6, and how a stabilised fighter rolls on the Lasting Injury table.

    `tens` None: a D66, with `rerolls` rolled again; else a D6 for the units of that ten.
    """

    credits_per_pip: int
    tens: int | None = None
    rerolls: tuple[str, ...] = ()


class RepairBand(BookTable):
    """From a D6 of `lowest` on: the cost of the repair in percent, and the damage that stays."""

    lowest: int
    percent: int
    leaves: str | None = None


class MarketModifier(BookTable):
    """A market's modifier of a search, by alignment."""

    alignment: str
    market: str
    rare: int = 0
    illegal: int = 0


class SeekRules(BookTable):
    """The search for rare items: the modifiers of traders by category, and of markets by alignment.

    `same_roll`: the same roll (with `illegal`) decides about illegal items; else one of their own.
    """

    leader: int
    each_champion: int
    reputation_step: int
    same_roll: bool
    modifiers: tuple[MarketModifier, ...] = field(name="modifier")

    def at_market(self, alignment: str, market: str) -> tuple[int, int]:
        """The modifiers for rare and for illegal items."""
        for line in self.modifiers:
            if (line.alignment, line.market) == (alignment, market):
                return line.rare, line.illegal
        return 0, 0


class Phase(BookTable):
    """A phase of the campaign: how many cycles, and what happens as it begins."""

    phase: str = field(name="id")
    name: str
    cycles: int
    grant_credits: int = 0
    clears_recovery: bool = False
    frees_captives: bool = False
    promotes: bool = False


class Triumph(BookTable):
    """A title at the campaign's end, for the gang with most of something."""

    triumph: str = field(name="id")
    name: str
    by: TriumphBy


ACTIVITIES = (
    "escape", "capture", "scrap", "territory", "rewards", "reputation", "income", "actions", "clean_house",
    "trading_post", "seek_rare", "boons", "distribute_equipment", "advancements", "gang_rating", "report",
    "battle_experience", "promotion", "threshold", "reinforcements", "exploration", "hire", "glory",
)  # fmt: skip
"""What can be done in a sequence; a book says where each belongs that it has."""


class PostBattleRules(Chapter):
    """A book's sequence. `at` is the step of each activity, `also_at` further steps in which a gang may do
    it; `hierarchy` are the ranks that may take actions.
    """

    steps: tuple[SequenceStep, ...] = field(name="step")
    at: Mapping[str, str]
    also_at: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hierarchy: tuple[str, ...] = ()
    actions: Mapping[str, str] = field(name="action", default_factory=dict)
    round_up_to: int = 1
    reputation_floor: int = 0
    scrap_credits_per_pip: int = 0
    escape: EscapeRules | None = None
    capture: CaptureRules | None = None
    captives: CaptivePrices | None = None
    doctor: DoctorRules | None = None
    repairs: tuple[RepairBand, ...] = field(name="repair", default=())
    seek: SeekRules | None = field(name="seek_rare", default=None)
    phases: tuple[Phase, ...] = field(name="phase", default=())
    triumphs: tuple[Triumph, ...] = field(name="triumph", default=())

    def __post_init__(self) -> None:
        steps = [step.step for step in self.steps]
        refuse_repeated(steps, "the step")
        refuse_unknown([("at", activity) for activity in self.at], ACTIVITIES, "activity")
        refuse_unknown([("also_at", activity) for activity in self.also_at], self.at, "activity of this book")
        named = [(f"at, {activity}", step) for activity, step in self.at.items()]
        named += [(f"also_at, {activity}", step) for activity, at in self.also_at.items() for step in at]
        refuse_unknown(named, steps, "step")
        lowest = [band.lowest for band in self.repairs]
        if lowest and (lowest != sorted(lowest, reverse=True) or lowest[-1] != 1):
            raise ValueError("repairs stand from the highest face down to 1")

    def place_of(self, step: str) -> int:
        """The position of a step in the sequence, from 0."""
        return next(place for place, known in enumerate(self.steps) if known.step == step)

    def step_of(self, activity: str) -> SequenceStep:
        """The step that an activity belongs to."""
        return self.steps[self.place_of(self.at[activity])]

    def repair(self, face: int) -> RepairBand:
        """The band of a repair for a D6."""
        return next(band for band in self.repairs if face >= band.lowest)


# --- territories -----------------------------------------------------------------------------------------

OnDouble: TypeAlias = Literal["nothing", "lasting_injury", "misses_battle"]
Counts: TypeAlias = Literal["nothing", "times", "each_die", "added"]


class Income(BookTable):
    """One income: dice whose sum is multiplied by `times` credits. `dice_max`: the player chooses up to so
    many dice.

    `counts` is the effect of a count from the table: the whole roll is made that often (`times`), each die is
    raised (`each_die`), or as many rolls are added to the first (`added`). `stated`: no die, the table states
    the amount. `house`, `alignment` and `needs` (another kind of territory held) are conditions; `on_double`
    is the effect of equal dice, instead of credits.
    """

    name: str = "Income"
    dice: int = 0
    die: Literal["D6", "D3"] = "D6"
    times: int = 10
    dice_max: int | None = None
    counts: Counts = "nothing"
    counted: str = ""
    stated: bool = False
    house: str | None = None
    alignment: str | None = None
    needs: str | None = None
    on_double: OnDouble = "nothing"


class Recruit(BookTable):
    """A free recruit: `count` of a rank at a time, of a `type` if the book names one.

    With `dice`: after each battle, if any of them shows `on`; if all do, one of the rank `all_category` may
    come instead. Without: as long as the territory is held. `house` and `alignment` are conditions.
    """

    category: str
    type: str | None = None
    count: int = 1
    dice: int = 0
    on: int = 6
    all_category: str | None = None
    house: str | None = None
    alignment: str | None = None


class Equipment(BookTable):
    """Free items, as long as the territory is held."""

    item: str
    count: int


class TerritoryRules(BookTable):
    """One kind of territory. Its Reputation is for the printed houses, or for everybody."""

    kind: str = field(name="id")
    name: str
    incomes: tuple[Income, ...] = field(name="income", default=())
    recruits: tuple[Recruit, ...] = field(name="recruit", default=())
    equipment: Equipment | None = None
    reputation: int = 0
    reputation_of_house: Mapping[str, int] = field(default_factory=dict)
    fixed: bool = False
    captives_work: bool = False


class Territories(Chapter):
    """Every kind of territory of a book."""

    kinds: tuple[TerritoryRules, ...] = field(name="territory")

    def __post_init__(self) -> None:
        names = [kind.kind for kind in self.kinds]
        refuse_repeated(names, "the territory")
        needs = [
            (f"territory {kind.kind}, income, needs", income.needs)
            for kind in self.kinds
            for income in kind.incomes
            if income.needs is not None
        ]
        refuse_unknown(needs, names, "territory")
