"""The codec: events to plain data and back, by stable names.

Knows which name stands for which class and which shape it is written in. Knows no bytes of an envelope
but how to read one fast. A name never changes once a log holds it: classes may move and be renamed.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar, get_args

import msgspec

from tracker.campaign import commands, events
from tracker.campaign.commands import Command
from tracker.campaign.events import DecisionTaken, Event, Sent
from tracker.campaign.recorded import Recorded
from tracker.dice import Die
from tracker.errors import LogDamaged
from tracker.log.store import StoredEvent
from tracker.log.upcasts import SHIPPED, Upcasts
from tracker.records import dataclass, maker

HEADER = "DecisionTaken"

# Written out so that renaming a class cannot rename what logs hold. A test holds the list complete.
EVENT_TYPES: dict[str, type[Any]] = {
    "DecisionTaken": events.DecisionTaken,
    "CampaignOpened": events.CampaignOpened,
    "PolicyAdopted": events.PolicyAdopted,
    "PolicyRepealed": events.PolicyRepealed,
    "GangEnlisted": events.GangEnlisted,
    "FighterEnlisted": events.FighterEnlisted,
    "FighterRetired": events.FighterRetired,
    "FighterRenamed": events.FighterRenamed,
    "BattleOpened": events.BattleOpened,
    "BattleClosed": events.BattleClosed,
    "RollMade": events.RollMade,
    "RuleNoted": events.RuleNoted,
    "WoundsLost": events.WoundsLost,
    "FleshWoundsSuffered": events.FleshWoundsSuffered,
    "SeriousInjurySuffered": events.SeriousInjurySuffered,
    "FighterWebbed": events.FighterWebbed,
    "FighterPinned": events.FighterPinned,
    "FighterWentOutOfAction": events.FighterWentOutOfAction,
    "LastingInjurySuffered": events.LastingInjurySuffered,
    "WentIntoConvalescence": events.WentIntoConvalescence,
    "ConvalescenceEnded": events.ConvalescenceEnded,
    "WentIntoRecovery": events.WentIntoRecovery,
    "RecoveryEnded": events.RecoveryEnded,
    "CharacteristicChanged": events.CharacteristicChanged,
    "CharacteristicKept": events.CharacteristicKept,
    "SkillGained": events.SkillGained,
    "CapturePending": events.CapturePending,
    "CriticalInjuryPending": events.CriticalInjuryPending,
    "FighterDied": events.FighterDied,
    "ExperienceGained": events.ExperienceGained,
    "BattleScarTaken": events.BattleScarTaken,
    "BloodMarkersGained": events.BloodMarkersGained,
    "BloodMarkersSpent": events.BloodMarkersSpent,
    "ChartRead": events.ChartRead,
    "FateDecided": events.FateDecided,
    "FighterStoodUp": events.FighterStoodUp,
    "FighterWentDown": events.FighterWentDown,
    "GearForfeited": events.GearForfeited,
    "HeldForRansom": events.HeldForRansom,
    "RankChanged": events.RankChanged,
    "ToughnessSpent": events.ToughnessSpent,
    "AttackDiceShared": events.AttackDiceShared,
    "FightResolved": events.FightResolved,
    "FighterConsolidated": events.FighterConsolidated,
    "FighterUnpinned": events.FighterUnpinned,
    "HelpNotCounted": events.HelpNotCounted,
    "FighterFled": events.FighterFled,
    "GangBottled": events.GangBottled,
    "RecoveryAssisted": events.RecoveryAssisted,
    "SeriousInjuryOvercome": events.SeriousInjuryOvercome,
    "WebShed": events.WebShed,
    "FighterBroke": events.FighterBroke,
    "FighterRallied": events.FighterRallied,
    "RallyTestTaken": events.RallyTestTaken,
    "NerveTested": events.NerveTested,
    "RetreatTried": events.RetreatTried,
    "FlightMade": events.FlightMade,
    "GangCorruptionStated": events.GangCorruptionStated,
    "MutationGained": events.MutationGained,
    "MutationCameAgain": events.MutationCameAgain,
    "BecameChaosSpawn": events.BecameChaosSpawn,
    "AmmoSpent": events.AmmoSpent,
    "LimitedAmmoDeleted": events.LimitedAmmoDeleted,
    "ShotFired": events.ShotFired,
    "WeaponJammed": events.WeaponJammed,
    "WeaponRanOutOfAmmo": events.WeaponRanOutOfAmmo,
    "WeaponReloaded": events.WeaponReloaded,
    "RollDisputed": events.RollDisputed,
    "RulingMade": events.RulingMade,
    "SlotVoided": events.SlotVoided,
    "SlotKept": events.SlotKept,
    "SlotReleased": events.SlotReleased,
    "DisputeWithdrawn": events.DisputeWithdrawn,
    "DisputeReopened": events.DisputeReopened,
    "DisputeSettledAgain": events.DisputeSettledAgain,
    "RollConfirmed": events.RollConfirmed,
    "VehicleEnlisted": events.VehicleEnlisted,
    "VehicleDamaged": events.VehicleDamaged,
    "VehicleHitPointsLost": events.VehicleHitPointsLost,
    "VehicleShaken": events.VehicleShaken,
    "VehicleStalled": events.VehicleStalled,
    "VehicleMoved": events.VehicleMoved,
    "VehicleMovementCapped": events.VehicleMovementCapped,
    "VehicleHandlingHindered": events.VehicleHandlingHindered,
    "VehicleWeaponDestroyed": events.VehicleWeaponDestroyed,
    "VehicleLostControl": events.VehicleLostControl,
    "DriverWounded": events.DriverWounded,
    "DriverBlackedOut": events.DriverBlackedOut,
    "VehicleWrecked": events.VehicleWrecked,
    "LastingDamageSuffered": events.LastingDamageSuffered,
    "VehicleDidNotStart": events.VehicleDidNotStart,
    "VehicleRestarted": events.VehicleRestarted,
    "DriverRecovered": events.DriverRecovered,
    "DriverWokeUp": events.DriverWokeUp,
    "VehicleRolledOn": events.VehicleRolledOn,
    "CreditsMoved": events.CreditsMoved,
    "ItemMoved": events.ItemMoved,
    "FighterCostChanged": events.FighterCostChanged,
    "VehicleCostChanged": events.VehicleCostChanged,
    "VehicleCrewChanged": events.VehicleCrewChanged,
    "VehicleGone": events.VehicleGone,
    "RatingRecorded": events.RatingRecorded,
    "ExperienceSpent": events.ExperienceSpent,
    "AdvancementTaken": events.AdvancementTaken,
    "FighterPromoted": events.FighterPromoted,
    "BionicFitted": events.BionicFitted,
    "BionicRuined": events.BionicRuined,
    "AlignmentStated": events.AlignmentStated,
    "CaptiveFreed": events.CaptiveFreed,
    "CaptivePassedOn": events.CaptivePassedOn,
    "CaptivePutToWork": events.CaptivePutToWork,
    "CaptiveSold": events.CaptiveSold,
    "CriticalTreated": events.CriticalTreated,
    "FighterCaptured": events.FighterCaptured,
    "FighterEscaped": events.FighterEscaped,
    "FighterMissesBattle": events.FighterMissesBattle,
    "PostBattleActionTaken": events.PostBattleActionTaken,
    "PostBattleDone": events.PostBattleDone,
    "RareItemsSought": events.RareItemsSought,
    "ReputationChanged": events.ReputationChanged,
    "RescueEnded": events.RescueEnded,
    "StepReached": events.StepReached,
    "VehicleRepaired": events.VehicleRepaired,
    "CycleBegan": events.CycleBegan,
    "BoonTaken": events.BoonTaken,
    "ModelPainted": events.ModelPainted,
    "SpendingGranted": events.SpendingGranted,
    "TerritoryGained": events.TerritoryGained,
    "TerritoryLost": events.TerritoryLost,
    "BlessingMarkersGained": events.BlessingMarkersGained,
    "BlessingMarkersSpent": events.BlessingMarkersSpent,
    "GloryChanged": events.GloryChanged,
    "LocationFound": events.LocationFound,
    "MoraleTested": events.MoraleTested,
    "PromotionDieSpent": events.PromotionDieSpent,
    "RansomSettled": events.RansomSettled,
    "ReinforcementsCalled": events.ReinforcementsCalled,
    "ShellShockTested": events.ShellShockTested,
    "ThresholdRaised": events.ThresholdRaised,
    "WarbandExplored": events.WarbandExplored,
}
COMMAND_TYPES: dict[str, type[Any]] = {
    "OpenCampaign": commands.OpenCampaign,
    "AdoptPolicy": commands.AdoptPolicy,
    "RepealPolicy": commands.RepealPolicy,
    "EnlistGang": commands.EnlistGang,
    "EnlistFighter": commands.EnlistFighter,
    "RetireFighter": commands.RetireFighter,
    "RenameFighter": commands.RenameFighter,
    "OpenBattle": commands.OpenBattle,
    "ResolveHit": commands.ResolveHit,
    "RollInjuryDice": commands.RollInjuryDice,
    "StateOutcome": commands.StateOutcome,
    "ResolveFall": commands.ResolveFall,
    "RollInjuryChart": commands.RollInjuryChart,
    "SpendBloodMarkers": commands.SpendBloodMarkers,
    "StandUp": commands.StandUp,
    "DecideFate": commands.DecideFate,
    "CoupDeGrace": commands.CoupDeGrace,
    "Fight": commands.Fight,
    "Unpin": commands.Unpin,
    "CheckBottle": commands.CheckBottle,
    "FleeBattlefield": commands.FleeBattlefield,
    "TakeFleeingTests": commands.TakeFleeingTests,
    "TakeRecoveryTest": commands.TakeRecoveryTest,
    "TakeNerveTest": commands.TakeNerveTest,
    "TakeRallyTest": commands.TakeRallyTest,
    "TakeFlight": commands.TakeFlight,
    "StateCorruption": commands.StateCorruption,
    "ChooseMutation": commands.ChooseMutation,
    "Shoot": commands.Shoot,
    "Reload": commands.Reload,
    "AwardExperience": commands.AwardExperience,
    "CloseBattle": commands.CloseBattle,
    "DisputeRoll": commands.DisputeRoll,
    "RuleOnDispute": commands.RuleOnDispute,
    "WithdrawDispute": commands.WithdrawDispute,
    "ConfirmRoll": commands.ConfirmRoll,
    "CheckControl": commands.CheckControl,
    "ResolveVehicleHit": commands.ResolveVehicleHit,
    "RestartVehicle": commands.RestartVehicle,
    "CheckDriver": commands.CheckDriver,
    "MoveRollingVehicle": commands.MoveRollingVehicle,
    "ThrowClear": commands.ThrowClear,
    "TakeVehicleNerveTest": commands.TakeVehicleNerveTest,
    "ChangeReputation": commands.ChangeReputation,
    "ClaimBounty": commands.ClaimBounty,
    "ClaimScrap": commands.ClaimScrap,
    "DisposeOfCaptive": commands.DisposeOfCaptive,
    "EndActions": commands.EndActions,
    "EndRescue": commands.EndRescue,
    "MedicalEscort": commands.MedicalEscort,
    "NegotiateRepairs": commands.NegotiateRepairs,
    "PutCaptiveToWork": commands.PutCaptiveToWork,
    "ReturnCaptive": commands.ReturnCaptive,
    "RollCapture": commands.RollCapture,
    "RollEscape": commands.RollEscape,
    "SeekRare": commands.SeekRare,
    "SellCaptive": commands.SellCaptive,
    "StateAlignment": commands.StateAlignment,
    "TakeReward": commands.TakeReward,
    "Trade": commands.Trade,
    "TradeCaptive": commands.TradeCaptive,
    "BeginCycle": commands.BeginCycle,
    "AwardSeveral": commands.AwardSeveral,
    "AwardTakingPart": commands.AwardTakingPart,
    "RollPraise": commands.RollPraise,
    "TakeRecruit": commands.TakeRecruit,
    "TakeEquipment": commands.TakeEquipment,
    "TakePatronage": commands.TakePatronage,
    "GainTerritory": commands.GainTerritory,
    "LoseTerritory": commands.LoseTerritory,
    "TakeIncome": commands.TakeIncome,
    "MoveCredits": commands.MoveCredits,
    "BuyItem": commands.BuyItem,
    "SellItem": commands.SellItem,
    "MoveItem": commands.MoveItem,
    "HireFighter": commands.HireFighter,
    "BuyVehicle": commands.BuyVehicle,
    "CrewVehicle": commands.CrewVehicle,
    "ScrapVehicle": commands.ScrapVehicle,
    "RemoveUpgrade": commands.RemoveUpgrade,
    "BuyAdvancement": commands.BuyAdvancement,
    "RollAdvancement": commands.RollAdvancement,
    "PromoteFighter": commands.PromoteFighter,
    "NameLeader": commands.NameLeader,
    "FitBionic": commands.FitBionic,
    "CleanHouse": commands.CleanHouse,
    "RecordRating": commands.RecordRating,
    "GainBlessingMarkers": commands.GainBlessingMarkers,
    "SpendBlessingMarkers": commands.SpendBlessingMarkers,
    "CheckMorale": commands.CheckMorale,
    "AwardBattleExperience": commands.AwardBattleExperience,
    "AwardLatecomer": commands.AwardLatecomer,
    "CallReinforcements": commands.CallReinforcements,
    "ChangeGlory": commands.ChangeGlory,
    "Explore": commands.Explore,
    "LearnSkill": commands.LearnSkill,
    "RaiseThreshold": commands.RaiseThreshold,
    "RollPromotions": commands.RollPromotions,
    "SettleRansom": commands.SettleRansom,
    "RollShellShock": commands.RollShellShock,
}
_NAMES = {kind: name for table in (EVENT_TYPES, COMMAND_TYPES) for name, kind in table.items()}


@dataclass(eq=False)
class EventUnreadable(LogDamaged):
    """An event of the log does not decode."""

    seq: int
    type: str
    why: str

    def message(self) -> str:
        return (
            f"Event {self.seq} of the log ({self.type}) cannot be read: {self.why}. Nothing was changed."
            f" 'arbitrator audit verify' looks whether the log was damaged; a log written by a newer program"
            f" needs that program."
        )


class _Policy(msgspec.Struct):
    version: str
    digest: str


Data = TypeVar("Data")


class _Envelope(msgspec.Struct, Generic[Data]):
    """What of an envelope is needed to read its event; the rest is the store's business."""

    type: str
    shape: int
    at: str
    actor: str
    policy: _Policy
    causation: int | None
    data: Data


class _CommandWritten(msgspec.Struct):
    name: str
    shape: int
    given: msgspec.Raw


class _Header(msgspec.Struct):
    command: _CommandWritten
    dice: tuple[Die, ...]
    spare: tuple[Die, ...]
    note: str | None
    sent: Sent | None = None


_ENVELOPE = msgspec.json.Decoder(_Envelope[msgspec.Raw])
_HEADER = msgspec.json.Decoder(_Header)
_recorded = maker(Recorded)


class Codec:
    """Reads and writes events; older shapes are lifted by `upcasts`."""

    def __init__(self, upcasts: Upcasts = SHIPPED) -> None:
        self._upcasts = upcasts
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {}
        self._whole: dict[str, tuple[msgspec.json.Decoder[_Envelope[Any]], int]] = {}
        self._known: dict[str, type[Any]] = {**EVENT_TYPES, **COMMAND_TYPES}

    def name_of(self, event: Event) -> tuple[str, int]:
        """The stable name of an event and the shape it is written in."""
        name = _NAMES[type(event)]
        return name, self._upcasts.shape_of(name)

    def written(self, event: Event) -> dict[str, Any]:
        """The event as plain data for an envelope."""
        if isinstance(event, DecisionTaken):
            name = _NAMES[type(event.command)]
            command = {
                "name": name,
                "shape": self._upcasts.shape_of(name),
                "given": msgspec.to_builtins(event.command, str_keys=True),
            }
            return {
                "command": command,
                "dice": msgspec.to_builtins(event.dice),
                "spare": msgspec.to_builtins(event.spare),
                "note": event.note,
                **({} if event.sent is None else {"sent": msgspec.to_builtins(event.sent)}),
            }
        plain: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
        return plain

    def read(self, stored: StoredEvent, position: int) -> Recorded:
        """A stored event, typed. Raises EventUnreadable, which names the event."""
        envelope = self._opened(stored)
        return _recorded(
            seq=stored.seq,
            entry=stored.entry,
            position=position,
            slot=stored.slot,
            at=envelope.at,
            actor=envelope.actor,
            policy_version=envelope.policy.version,
            policy_digest=envelope.policy.digest,
            causation=envelope.causation,
            event=envelope.data,
        )

    def event(self, stored: StoredEvent) -> Event:
        """Only what happened, without who, when and where. Raises EventUnreadable."""
        event: Event = self._opened(stored).data
        return event

    def _opened(self, stored: StoredEvent) -> _Envelope[Any]:
        """An envelope with its event typed: at one go where it has today's shape, else step by step."""
        name = stored.type
        try:
            decoder, newest = self._whole.get(name) or self._as_today(name)
            envelope = decoder.decode(stored.body)
            if envelope.type == name and envelope.shape == newest:
                if name == HEADER:
                    envelope.data = self._with_command(envelope.data)
                return envelope
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError):
            pass  # step by step it comes out what is wrong
        return self._opened_by_steps(stored)

    def _as_today(self, name: str) -> tuple[msgspec.json.Decoder[_Envelope[Any]], int]:
        kind = _Header if name == HEADER else EVENT_TYPES[name]
        decoder = msgspec.json.Decoder(_Envelope[kind])  # type: ignore[valid-type]
        self._whole[name] = decoder, self._upcasts.shape_of(name)
        return self._whole[name]

    def _opened_by_steps(self, stored: StoredEvent) -> _Envelope[Any]:
        try:
            envelope: _Envelope[Any] = _ENVELOPE.decode(stored.body)
            if envelope.type == HEADER:
                envelope.data = self._read_header(envelope.shape, envelope.data)
            else:
                if envelope.type not in EVENT_TYPES:
                    raise EventUnreadable(
                        seq=stored.seq, type=envelope.type, why="this program knows no such event"
                    )
                envelope.data = self._read_data(envelope.type, envelope.shape, envelope.data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError) as wrong:
            raise EventUnreadable(seq=stored.seq, type=stored.type, why=str(wrong)) from wrong
        return envelope

    def _read_header(self, shape: int, data: msgspec.Raw) -> DecisionTaken:
        if self._is_older(HEADER, shape):
            header = _HEADER.decode(msgspec.json.encode(self._lifted(HEADER, shape, data)))
        else:
            header = _HEADER.decode(data)
        return self._with_command(header)

    def _with_command(self, header: _Header) -> DecisionTaken:
        name = header.command.name
        if name not in COMMAND_TYPES:
            raise msgspec.ValidationError(f"this program knows no such command as its {name!r}")
        command: Command = self._read_data(name, header.command.shape, header.command.given)
        return DecisionTaken(
            command=command, dice=header.dice, spare=header.spare, note=header.note, sent=header.sent
        )

    def _read_data(self, name: str, shape: int, data: msgspec.Raw) -> Any:
        if self._is_older(name, shape):
            return msgspec.convert(self._lifted(name, shape, data), self._known[name], str_keys=True)
        decoder = self._decoders.get(name)
        if decoder is None:
            decoder = self._decoders[name] = msgspec.json.Decoder(self._known[name])
        return decoder.decode(data)

    def _is_older(self, name: str, shape: int) -> bool:
        newest = self._upcasts.shape_of(name)
        if shape > newest:
            raise msgspec.ValidationError(f"shape {shape} of {name} is newer than this program's {newest}")
        return shape < newest

    def _lifted(self, name: str, shape: int, data: msgspec.Raw) -> dict[str, Any]:
        return self._upcasts.lift(name, shape, msgspec.json.decode(data))


def complete() -> bool:
    """Whether every event and command of the campaign has a name."""
    return set(get_args(Event)) == set(EVENT_TYPES.values()) and set(get_args(Command)) == set(
        COMMAND_TYPES.values()
    )
