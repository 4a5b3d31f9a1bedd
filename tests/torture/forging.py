"""What nothing decided, sealed with the project's own sealer: found, in the entry where it was done; and a log that
nobody forged is not accused.

Every forgery has hashes, numbers, head, command rows and boards made anew, so only deciding again can see it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.dice import ways_of
from tracker.errors import Refusal
from tracker.records import replace
from tracker.service.ruling_request import RulingRequest

from . import club
from .forger import Envelope, another_event, command_of, entries_of, envelopes, install, is_ruling
from .quarrels import POLICIES, Season
from .runner import Run

STEPS = 60
FAR = 10**9
"""Where nothing lies yet: the forger's own events are distinguished from all others until they are sealed."""
FORGERIES_A_LOG = 40

Log: TypeAlias = list[list[Envelope]]
Forgery: TypeAlias = Callable[[Log, random.Random], int | None]
"""Changes a log, and gives the entry that must be named; None where the log has nothing to forge so."""


def forged(run: Run) -> None:
    """One forgery at a time, on a campaign of disputes and rulings of every kind."""
    file = run.folder / "club.db"
    campaign, honest, made = "", list[Envelope](), -1
    for dice in run.each_round():
        if run.at // FORGERIES_A_LOG != made:
            made = run.at // FORGERIES_A_LOG
            campaign, honest = _a_log(file, random.Random(f"{run.seed}:{run.name}:log {made}"), run)
        while True:
            log = entries_of(deepcopy(honest))
            forgery = dice.choice(FORGERIES)
            entry = forgery(log, dice)
            if entry is not None:
                break
        name = forgery.__name__.replace("_", " ").strip()
        install(file, campaign, [event for entry in log for event in entry])
        _found(file, campaign, name, entry)
        run.count(name)


def _found(file: Path, campaign: str, name: str, entry: int) -> None:
    with club.opened(club.sqlite(file)) as tracker:
        audit = tracker.audit.verify(campaign)
        assert audit.log.ok, f"the forger seals as the program does: {audit.log}"
        assert not audit.ok, f"{name} in entry {entry} was not seen"
        if audit.unreadable is None:
            assert audit.drifted, f"{name} in entry {entry} was seen elsewhere alone: {audit}"
            first = audit.drifted[0]
            assert first.entry == entry, f"{name} in entry {entry} was shown {first}"


# --- a campaign to forge ---------------------------------------------------------------------------------


def _a_log(file: Path, dice: random.Random, run: Run) -> tuple[str, list[Envelope]]:
    file.unlink(missing_ok=True)
    with club.opened(club.sqlite(file), seed=dice.randrange(10**9)) as tracker:
        season = Court(tracker, dice)
        for _ in range(STEPS):
            season.step()
        for what, count in season.counted.items():
            if what.startswith("ruled"):
                run.count(what, by=count)
        campaign = season.campaign
        club.everything_holds(tracker, campaign)
    honest = envelopes(file, campaign)
    run.count("logs that hold")
    install(file, campaign, honest)
    with club.opened(club.sqlite(file)) as tracker:
        club.everything_holds(tracker, campaign)
    return campaign, honest


class Court(Season):
    """A season with rulings that roll, and house rules for battles that are over; looked at when it is done."""

    def look(self) -> None:
        for number in range(self.seen + 1, self.tracker.repository.store.head(self.campaign).entries + 1):
            header = self.tracker.repository.log.entry(self.campaign, number)[0].event
            assert isinstance(header, records.DecisionTaken), "an entry begins with its header"
            if isinstance(header.command, records.RuleOnDispute):
                self.naive.rulings[number] = header.command
        self.seen = self.tracker.repository.store.head(self.campaign).entries

    def house_rule(self) -> None:
        state = self.tracker.repository.state(self.campaign)
        if not state.battles or self.dice.random() < 0.4:
            super().house_rule()
            return
        battle = self.dice.choice([*state.battles.values()])
        held = [policy.policy for policy in state.policies if policy.until_battle is None]
        change = self.tracker.rulings.adoption_ruling(
            self.campaign,
            from_battle=battle,
            adopt=[] if held and self.dice.random() < 0.4 else [self.dice.choice(POLICIES)],
            repeal=held[:1] if self.dice.random() < 0.4 else [],
            reason="voted",
        )
        strategy = self.dice.choice(["carry", "keep-later", "void-later"])
        answer = RulingRequest(verdict="house_rules", reason="voted", house_rules=change, strategy=strategy)
        self.ruled(None, answer)

    def ruled(self, name: str | None, answer: RulingRequest) -> bool:
        """Now and then by the tool's own dice, or with more said than anybody asked for."""
        if self.dice.random() < 0.6:
            if self.dice.random() < 0.5 and answer.verdict != "confirmed":
                answer = self.more(answer)
            rerolls = answer.verdict in ("corrected", "rerolled") and answer.strategy != "carry"
            if rerolls and self.dice.random() < 0.5:
                answer = replace(answer, verdict="rerolled", faces=None)
            with suppress(Refusal):
                self.tracker.rulings.rule(self.campaign, name, answer, roll=True)
                self.counted["ruled with --roll"] += 1
                return True
        return super().ruled(name, answer)

    def more(self, answer: RulingRequest) -> RulingRequest:
        """An answer for entries that nobody asked about."""
        entries = self.tracker.repository.store.head(self.campaign).entries
        slots = self.dice.sample(range(2, entries + 1), k=self.dice.randrange(3))
        purpose = self.dice.choice(["injury", "save", "lasting_injury", "recovery_test"])
        faces = self.faces("D66" if purpose == "lasting_injury" else "D6")
        supplied = {slot: [(purpose, faces)] for slot in slots} if self.dice.random() < 0.4 else {}
        keep = () if supplied or self.dice.random() < 0.5 else tuple(slots)
        void = () if supplied or keep else tuple(slots)
        return replace(
            answer,
            supplied={**answer.supplied, **supplied},
            keep=(*answer.keep, *keep),
            void=(*answer.void, *void),
        )

    def was_marked(self, *_: object) -> None:
        pass  # the quarrels look at that


# --- places ----------------------------------------------------------------------------------------------


def _fillings(entry: list[Envelope]) -> list[list[Envelope]]:
    """What a ruling fills, itself first."""
    return [list(slot_events) for _, slot_events in groupby(entry, lambda slot_events: slot_events["slot"])]


def _rulings(log: Log, *, that_fill: int = 0) -> list[list[Envelope]]:
    return [entry for entry in log if is_ruling(entry) and len(_fillings(entry)) > that_fill]


def _put(entry: list[Envelope], fillings: list[list[Envelope]]) -> int:
    entry[:] = [event for filling in fillings for event in filling]
    return int(entry[0]["entry"])


def _alike(entry: list[Envelope]) -> str:
    return str([(event["type"], event["slot"], event["data"]) for event in entry])


def _bonus(dice: random.Random) -> records.Event:
    who = f"{dice.choice(club.GANGS)}-{dice.randrange(4)}"
    return dice.choice(
        [
            records.ExperienceGained(fighter=who, amount=500, reason="because"),
            records.CreditsMoved(
                source="@rewards", target=dice.choice(club.GANGS), amount=900, why="because", section="-"
            ),
            records.FighterRetired(fighter=who, reason="because"),
            records.DisputeSettledAgain(dispute=dice.randrange(1, 40), ruling=2),
            records.SlotReleased(released_slot=dice.randrange(1, 40), reason="because"),
            records.SlotKept(kept_slot=dice.randrange(1, 40), reason="because", insisted=True),
            records.SlotVoided(voided_slot=dice.randrange(1, 40), reason="because"),
        ]
    )


def _a_ruling(log: Log, **asked: Any) -> list[Envelope]:
    """A ruling that asks for nothing, or for this, at the end of the log."""
    number, seq = len(log) + 1, sum(map(len, log))
    command = records.RuleOnDispute(**{"dispute": 0, "verdict": "rolled_back", "reason": "because"} | asked)
    like = {**log[-1][0], "entry": number, "slot": number}
    header = another_event(like, records.DecisionTaken(command=command), seq=seq)
    header["data"]["sent"] = {"key": f"ruling:{command.dispute}:{seq}", "digest": "a" * 64}
    word = records.RulingMade(dispute=command.dispute, verdict=command.verdict, reason=command.reason)
    log.append([header, another_event(header, word, seq=seq + 1, causation=seq)])
    return log[-1]


def _again(filling: list[Envelope], ruling: list[Envelope], slot: int) -> list[Envelope]:
    """What fills a slot elsewhere, written into a ruling as rulings write it."""
    first, word = filling[0]["seq"], ruling[0]["seq"] + 1
    start = FAR
    written = []
    for nth, event in enumerate(filling):
        cause = word if nth == 0 else start + (event["causation"] - first)
        copied = another_event(event, records.RulingMade(dispute=0, verdict="confirmed", reason=""))
        signed = {name: ruling[0][name] for name in ("entry", "at", "actor")}
        kept = {name: deepcopy(event[name]) for name in ("type", "shape", "data", "policy")}
        written.append({**copied, **kept, **signed, "slot": slot, "seq": start + nth, "causation": cause})
    return written


def _played(log: Log) -> list[list[Envelope]]:
    """Entries that no ruling is."""
    return [entry for entry in log[1:] if not is_ruling(entry)]


# --- forgeries of any entry ------------------------------------------------------------------------------


def _no_header(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice([entry for entry in log if len(entry) > 1])
    del entry[0]
    return int(entry[0]["entry"])


def _an_entry_of_nobody(log: Log, dice: random.Random) -> int | None:
    number = len(log) + 1
    log.append([another_event(log[-1][0], _bonus(dice), entry=number, slot=number)])
    return number


def _a_bonus_behind_it(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice(log)
    like, first = entry[0], entry[0]["seq"]
    cause = first + (is_ruling(entry) and len(entry) > 1)
    own = sum(event["slot"] == like["entry"] for event in entry)
    entry.insert(dice.choice([own, len(entry)]), another_event(like, _bonus(dice), causation=cause))
    return int(like["entry"])


def _a_void_behind_it(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice(log[1:])
    slot = dice.randrange(1, entry[0]["entry"])
    if any(event["slot"] == slot for event in entry):
        return None
    void = records.SlotVoided(voided_slot=slot, reason="because")
    entry.append(another_event(entry[0], void, slot=slot, causation=entry[0]["seq"]))
    return int(entry[0]["entry"])


def _two_headers(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice(log)
    again = another_event(entry[0], _bonus(dice), causation=entry[0]["seq"])
    again |= {"type": entry[0]["type"], "data": deepcopy(entry[0]["data"])}
    entry.insert(dice.randrange(1, len(entry) + 1), again)
    return int(entry[0]["entry"])


def _another_command(log: Log, dice: random.Random) -> int | None:
    entry, second = dice.sample(_played(log), 2)
    if command_of(entry) == command_of(second):
        return None
    entry[0]["data"]["command"] = deepcopy(second[0]["data"]["command"])
    return int(entry[0]["entry"])


def _another_die(log: Log, dice: random.Random) -> int | None:
    headers = [event for entry in log for event in entry if event["data"].get("dice")]
    if not headers:
        return None
    header = dice.choice(headers)
    die = dice.choice(header["data"]["dice"])
    if not die["faces"]:
        return None
    die["faces"] = dice.choice(
        [[*faces] for faces in ways_of(die["die"]) if [*faces] != die["faces"]] + [[9]]
    )
    return int(header["entry"])


def _a_die_laid_by(log: Log, dice: random.Random) -> int | None:
    rolled = [event["data"]["dice"] for entry in log for event in entry if event["data"].get("dice")]
    if not rolled:
        return None
    header = dice.choice(_played(log))[0]
    header["data"]["spare"] = [{**dice.choice(dice.choice(rolled)), "source": "typed"}]
    return int(header["entry"])


def _another_result(log: Log, dice: random.Random) -> int | None:
    results = [event for entry in log for event in entry if event["type"] != "DecisionTaken"]
    event = dice.choice(results)
    # Why a slot was kept or voided is the program's own wording, which is not compared.
    wording = {"reason"} if event["type"] in ("SlotKept", "SlotVoided") else set[str]()
    fields = [
        name for name, held in event["data"].items() if isinstance(held, (int, str)) and name not in wording
    ]
    if not fields:
        return None
    name = dice.choice(fields)
    event["data"][name] = _other_than(event["data"][name], dice)
    return int(event["entry"])


def _other_than(value: bool | int | str, dice: random.Random) -> bool | int | str:
    if isinstance(value, bool):
        return not value
    return value + dice.choice([-1, 1, 500]) if isinstance(value, int) else value + "x"


def _a_result_gone(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice([entry for entry in log if len(entry) > 1])
    del entry[dice.randrange(1, len(entry))]
    return int(entry[0]["entry"])


def _results_exchanged(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice(log)
    places = [at for at in range(1, len(entry) - 1) if entry[at]["data"] != entry[at + 1]["data"]]
    if not places:
        return None
    at = dice.choice(places)
    names = ("type", "shape", "data")
    first, second = ({name: entry[place][name] for name in names} for place in (at, at + 1))
    entry[at] |= second
    entry[at + 1] |= first
    return int(entry[0]["entry"])


def _another_cause(log: Log, dice: random.Random) -> int | None:
    event = dice.choice([event for entry in log for event in entry if event["seq"] > 0])
    event["causation"] = dice.choice([at for at in (None, *range(event["seq"])) if at != event["causation"]])
    return int(event["entry"])


def _another_signature(log: Log, dice: random.Random) -> int | None:
    event = dice.choice([event for entry in log for event in entry[1:]])
    event |= dice.choice([{"actor": "nobody"}, {"at": "2020-01-01T00:00:00Z"}])
    return int(event["entry"])


def _another_stamp(log: Log, dice: random.Random) -> int | None:
    filling = dice.choice([filling for entry in log for filling in _fillings(entry)])
    event = dice.choice(filling)
    version = event["policy"]["version"] + " + templates-spill@1"
    if len(filling) > 1 and dice.random() < 0.5:
        event["policy"] = {**event["policy"], "digest": "ab" * 32}
    else:
        for stamped in dice.choice([[event], filling]):
            stamped["policy"] = {**stamped["policy"], "version": version}
    return int(event["entry"])


def _two_entries_in_one(log: Log, _: random.Random) -> int | None:
    entry = log.pop()
    number = log[-1][0]["entry"]
    log[-1] += [event | {"entry": number, "slot": number} for event in entry]
    return int(number)


def _one_entry_in_two(log: Log, dice: random.Random) -> int | None:
    entry = log[-1]
    if len(entry) < 2:
        return None
    number, at = entry[0]["entry"], dice.randrange(1, len(entry))
    log.append([event | {"entry": number + 1, "slot": number + 1} for event in entry[at:]])
    del entry[at:]
    return int(number)


def _a_dispute_about_something_else(log: Log, dice: random.Random) -> int | None:
    disputes = [entry for entry in log if command_of(entry) == "DisputeRoll"]
    if not disputes:
        return None
    entry = dice.choice(disputes)
    field = dice.choice(["target_seq", "target_entry", "target_position", "target_slot"])
    for said in (entry[0]["data"]["command"]["given"], entry[1]["data"]):
        said[field] += 1 if field == "target_slot" else 1000
    return int(entry[0]["entry"])


def _a_house_rule_of_ones_own(log: Log, dice: random.Random) -> int | None:
    adoptions = [entry for entry in log if command_of(entry) == "AdoptPolicy"]
    if not adoptions:
        return None
    entry = dice.choice(adoptions)
    patch = dice.choice([{}, {"injury_dice": "2023"}, {"lasting_injury_rolls": "most"}])
    entry[0]["data"]["command"]["given"]["text"]["patch"] = patch
    entry[1]["data"]["patch"] = patch
    return int(entry[0]["entry"])


# --- forgeries of rulings --------------------------------------------------------------------------------


def _a_ruling_with_a_bonus(log: Log, dice: random.Random) -> int | None:
    ruling = _a_ruling(log)
    ruling.append(another_event(ruling[0], _bonus(dice), causation=ruling[1]["seq"]))
    return len(log)


def _a_ruling_that_fills_what_it_does_not_name(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice(_played(log))
    ruling = _a_ruling(log)
    if dice.random() < 0.5:
        kept = records.SlotKept(kept_slot=entry[0]["entry"], reason="as played", restored=dice.random() < 0.5)
        place = ruling[1]["seq"]
        ruling.append(another_event(ruling[0], kept, seq=place + 1, causation=place))
    filling = _again(entry, ruling, entry[0]["entry"])
    for event in filling:
        if "amount" in event["data"] and isinstance(event["data"]["amount"], int):
            event["data"]["amount"] += 500
    ruling += filling
    return len(log)


def _a_ruling_that_voids_what_it_does_not_name(log: Log, dice: random.Random) -> int | None:
    entry = dice.choice(_played(log))
    ruling = _a_ruling(log)
    void = records.SlotVoided(voided_slot=entry[0]["entry"], reason="because")
    ruling.append(another_event(ruling[0], void, slot=entry[0]["entry"], causation=ruling[1]["seq"]))
    return len(log)


def _a_filling_left_out(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log, that_fill=1)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    fillings = _fillings(entry)
    missed = [at for at in range(1, len(fillings)) if not _void_before_and_after(log, fillings[at])]
    if not missed:
        return None
    del fillings[dice.choice(missed)]
    return _put(entry, fillings)


def _void_before_and_after(log: Log, filling: list[Envelope]) -> bool:
    """A void of a slot that is void already: without it the entry is that of a ruling that asked for the void."""
    slot, number = filling[0]["slot"], filling[0]["entry"]
    before = [
        event for entry in log if entry[0]["entry"] < number for event in entry if event["slot"] == slot
    ]
    return filling[0]["type"] == before[-1]["type"] == "SlotVoided"


def _a_filling_twice(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log, that_fill=1)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    fillings = _fillings(entry)
    at = dice.randrange(1, len(fillings))
    copied = deepcopy(fillings[at])
    for event in copied:
        event["id"] = another_event(event, _bonus(dice))["id"]
    fillings.insert(at + 1, copied)
    return _put(entry, fillings)


def _a_filling_elsewhere(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log, that_fill=1)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    filling = dice.choice(_fillings(entry)[1:])
    slot = dice.choice([number for number in range(1, entry[0]["entry"] + 1) if number != filling[0]["slot"]])
    for event in filling:
        event["slot"] = slot
    return int(entry[0]["entry"])


def _fillings_exchanged(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log, that_fill=2)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    fillings = _fillings(entry)
    at = dice.randrange(1, len(fillings) - 1)
    fillings[at], fillings[at + 1] = fillings[at + 1], fillings[at]
    return _put(entry, fillings)


def _a_filling_as_it_was_played(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log, that_fill=1)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    fillings = _fillings(entry)
    at = dice.randrange(1, len(fillings))
    slot = fillings[at][0]["slot"]
    played = [event for event in log[slot - 1] if event["slot"] == slot]
    before = _alike(fillings[at])
    fillings[at] = _again(played, entry, slot)
    return None if _alike(fillings[at]) == before else _put(entry, fillings)


def _a_word_on_a_slot(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    slot = dice.randrange(1, entry[0]["entry"])
    word = dice.choice(
        [
            records.SlotKept(kept_slot=slot, reason=entry[1]["data"]["reason"], insisted=dice.random() < 0.5),
            records.SlotReleased(released_slot=slot, reason=entry[1]["data"]["reason"]),
        ]
    )
    own = _fillings(entry)[0]
    entry.insert(len(own), another_event(own[0], word, causation=own[1]["seq"]))
    return int(entry[0]["entry"])


def _a_ruling_that_named_more(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    given = entry[0]["data"]["command"]["given"]
    played = [events[0]["entry"] for events in _played(log) if events[0]["entry"] < entry[0]["entry"]]
    void = {
        event["data"]["voided_slot"] for ruling in log for event in ruling if event["type"] == "SlotVoided"
    }
    slot = dice.choice(played)
    field = dice.choice(["voided", "kept"])
    if slot in void or slot in given["kept"] or given["verdict"] == "confirmed":
        return None
    given[field] = sorted({*given[field], slot})
    return int(entry[0]["entry"])


def _a_ruling_that_named_less(log: Log, dice: random.Random) -> int | None:
    fields = ("voided", "kept")
    rulings = [
        (entry, field)
        for entry in _rulings(log)
        for field in fields
        if entry[0]["data"]["command"]["given"][field]
    ]
    if not rulings:
        return None
    entry, field = dice.choice(rulings)
    named = entry[0]["data"]["command"]["given"][field]
    slot = dice.choice(named)
    if field == "voided" and not any(event["data"].get("voided_slot") == slot for event in entry):
        return None  # it was void before: that it was named changed nothing
    if field == "kept" and not any(event["data"].get("kept_slot") == slot for event in entry):
        return None  # it was kept before
    named.remove(slot)
    return int(entry[0]["entry"])


def _another_verdict(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log, that_fill=1)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    for said in (entry[0]["data"]["command"]["given"], entry[1]["data"]):
        said["verdict"] = "confirmed"
    return int(entry[0]["entry"])


def _a_ruling_on_nothing(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    for said in (entry[0]["data"]["command"]["given"], entry[1]["data"]):
        said["dispute"] = 10**6
    sent = entry[0]["data"]["sent"]
    sent["key"] = f"ruling:{10**6}:{sent['key'].rpartition(':')[2]}"
    return int(entry[0]["entry"])


def _another_die_ruled(log: Log, dice: random.Random) -> int | None:
    rulings = [entry for entry in _rulings(log, that_fill=1) if _falls_by_its_die(entry)]
    if not rulings:
        return None
    entry = dice.choice(rulings)
    die = entry[0]["data"]["command"]["given"]["faces"]
    changed = dice.choice([[*faces] for faces in ways_of(die["die"]) if [*faces] != die["faces"]])
    die["faces"] = changed
    entry[1]["data"]["after"]["faces"] = changed
    return int(entry[0]["entry"])


def _falls_by_its_die(entry: list[Envelope]) -> bool:
    """Whether what a ruling fills holds the die that it names: with a slot that it voids, no face counts."""
    die = entry[0]["data"]["command"]["given"]["faces"]
    dice = [fallen for event in entry[1:] for fallen in event["data"].get("dice", ())]
    return bool(die and die["faces"]) and any(
        (fallen["purpose"], fallen["faces"]) == (die["purpose"], die["faces"]) for fallen in dice
    )


def _another_key(log: Log, dice: random.Random) -> int | None:
    rulings = _rulings(log)
    if not rulings:
        return None
    entry = dice.choice(rulings)
    entry[0]["data"]["sent"]["key"] = "battle:b99"
    return int(entry[0]["entry"])


FORGERIES: list[Forgery] = [
    _no_header,
    _an_entry_of_nobody,
    _a_bonus_behind_it,
    _a_void_behind_it,
    _two_headers,
    _another_command,
    _another_die,
    _a_die_laid_by,
    _another_result,
    _another_result,
    _a_result_gone,
    _results_exchanged,
    _another_cause,
    _another_signature,
    _another_stamp,
    _two_entries_in_one,
    _one_entry_in_two,
    _a_dispute_about_something_else,
    _a_house_rule_of_ones_own,
    _a_ruling_with_a_bonus,
    _a_ruling_that_fills_what_it_does_not_name,
    _a_ruling_that_voids_what_it_does_not_name,
    _a_filling_left_out,
    _a_filling_twice,
    _a_filling_elsewhere,
    _fillings_exchanged,
    _a_filling_as_it_was_played,
    _a_word_on_a_slot,
    _a_ruling_that_named_more,
    _a_ruling_that_named_less,
    _another_verdict,
    _a_ruling_on_nothing,
    _another_die_ruled,
    _another_key,
]
