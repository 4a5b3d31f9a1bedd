"""What comes after a battle, in the words of the reports: an example of every event and every command."""

from tracker.campaign import records
from tracker.campaign.profiles import Item

WHERE = "Rulebook · Here"

POST_BATTLE_SENTENCES: list[tuple[records.Event, str]] = [
    (records.StepReached(gang="rats", step="income", name="4. Income", section=WHERE), "Sump Rats come to 4. Income"),
    (records.FighterEscaped(fighter="krug"), "Krug escapes"),
    (
        records.FighterCaptured(fighter="krug", holder="rats", off_rating=True, section=WHERE),
        "Krug is a captive of Sump Rats, and counts in no rating meanwhile",
    ),
    (
        records.FighterCaptured(fighter="krug", holder="rats", off_rating=False, section=WHERE),
        "Krug is a captive of Sump Rats",
    ),
    (
        records.CaptivePassedOn(fighter="krug", before="rats", holder="hawks", why="a trade"),
        "the captive Krug, Sump Rats -> Iron Hawks: a trade",
    ),
    (
        records.CaptiveFreed(fighter="krug", holder="rats", why="mercy"),
        "Krug is no captive of Sump Rats any more: mercy",
    ),
    (records.RescueEnded(fighter="krug", holder="rats", result="failed"), "Krug is not rescued"),
    (records.RescueEnded(fighter="krug", holder="rats", result="declined"), "Krug is left to the captors"),
    (
        records.CaptiveSold(fighter="krug", holder="rats", to="@guilders", value=55, section=WHERE),
        "Krug is gone for good, to the Guilders, for 55 credits",
    ),
    (
        records.CaptivePutToWork(fighter="krug", holder="rats", territory="mine"),
        "the captive Krug works at mine",
    ),
    (records.CaptivePutToWork(fighter="krug", holder="rats", territory=None), "the captive Krug works no more"),
    (
        records.PostBattleActionTaken(fighter="krug", gang="hawks", action="trade", name="Trade", section=WHERE),
        "Krug acts: Trade",
    ),
    (
        records.CriticalTreated(fighter="krug", outcome="stabilised", name="Stabilised", section=WHERE),
        "Krug's Critical Injury: Stabilised",
    ),
    (
        records.RareItemsSought(gang="rats", market="trading_post", rare_up_to=9, illegal_up_to=5, section=WHERE),
        "Sump Rats may buy up to Rare (9), Illegal (5) at the trading post",
    ),
    (
        records.VehicleRepaired(
            vehicle="rig", name="Rig", rattles=1, handling_modifier=0, toughness_front=5, toughness_side=4,
            toughness_rear=3, movement=7, hit_points=3, section=WHERE, left="persistent_rattle",
            left_name="Persistent Rattle", battle=1,
        ),
        "Rig is repaired, but for Persistent Rattle",
    ),
    (
        records.FighterMissesBattle(fighter="krug", battle=2, why="Refuse Drift"),
        "Krug misses the gang's next battle: Refuse Drift",
    ),
    (records.PostBattleDone(gang="rats", what="income:ruin"), "Sump Rats are done with the income of ruin"),
    (records.PostBattleDone(gang="rats", what="actions"), "Sump Rats are done with their actions"),
    (
        records.ReputationChanged(gang="rats", by=-2, before=2, after=1, why="fled", section=WHERE),
        "Sump Rats: Reputation 2 -> 1 (-2, but 1 is the least): fled",
    ),
    (
        records.AlignmentStated(gang="rats", before=None, after="law_abiding", why="always so"),
        "Sump Rats are law-abiding: always so",
    ),
    (
        records.TerritoryGained(
            gang="rats", territory="ruin", kind="old_ruins", name="Old Ruins", before="hawks", why="the stake",
            section=WHERE,
        ),
        "Sump Rats take Old Ruins from Iron Hawks: the stake",
    ),
    (
        records.TerritoryLost(gang="hawks", territory="ruin", name="Old Ruins", to=None, why="burnt", section=WHERE),
        "Iron Hawks lose Old Ruins: burnt",
    ),
    (
        records.CycleBegan(number=4, phase="downtime", name="Downtime", reason="half-time", section=WHERE),
        "cycle 4 begins: Downtime (half-time)",
    ),
    (
        records.BoonTaken(
            gang="rats", territory="sea", name="Sludge Sea", recruit=None, items=("choke gas",) * 3, section=WHERE
        ),
        "Sump Rats have 3 choke gas of Sludge Sea, as long as they hold it",
    ),
    (
        records.BoonTaken(gang="rats", territory="pit", name="Pit", recruit="krug", items=(), section=WHERE),
        "Sump Rats have Krug of Pit, as long as they hold it",
    ),
    (records.ModelPainted(fighter="krug"), "Krug's model is painted"),
    (
        records.SpendingGranted(gang="rats", amount=250),
        "Sump Rats have 250 credits to spend in this phase; what is left lapses",
    ),
]  # fmt: skip

POST_BATTLE_WORDS: list[tuple[records.Command, str]] = [
    (records.RollEscape(fighter="krug", late="forgotten"), "escape of Krug (late: forgotten)"),
    (records.RollCapture(gang="rats"), "Sump Rats try to take a captive"),
    (records.ClaimScrap(gang="rats"), "Sump Rats alone remained and take the scrap"),
    (
        records.TakeReward(gang="rats", why="loot", dice=2, credits_fixed=5),
        "reward for Sump Rats, 2D6 x 10 and 5 credits: loot",
    ),
    (records.ChangeReputation(gang="rats", by=2, why="a song"), "Reputation of Sump Rats +2: a song"),
    (records.StateAlignment(gang="rats", alignment="outlaw", why="born so"), "Sump Rats are outlaw: born so"),
    (
        records.TradeCaptive(captive="krug", to="rats", price=10, for_captive="mags"),
        "trade the captive Krug to Sump Rats for 10 credits against Mags",
    ),
    (records.EndRescue(captive="krug", result="declined"), "Rescue Mission for Krug: declined"),
    (records.ReturnCaptive(captive="krug", why="mercy"), "let Krug go: mercy"),
    (records.PutCaptiveToWork(captive="krug", territory="mine"), "the captive Krug works at mine"),
    (
        records.AwardSeveral(fighters=("krug", "mags"), amount=2, reason="loot"),
        "award: 2 XP each for Krug, Mags: loot",
    ),
    (records.AwardTakingPart(gang="rats"), "XP for taking part, Sump Rats"),
    (records.AwardTakingPart(gang="rats", amount=3), "XP for taking part, Sump Rats, 3 XP by the scenario"),
    (records.RollPraise(fighter="krug", praise="mvp"), "XP for the best of the gang: Krug"),
    (records.RollPraise(fighter="krug", praise="painted"), "XP for a painted model: Krug"),
    (records.TakeRecruit(territory="settlement"), "recruit of settlement"),
    (
        records.TakeEquipment(territory="sea", item=Item(name="choke gas", kind="wargear", cost_credits=50)),
        "equipment of sea: choke gas",
    ),
    (records.TakePatronage(gang="rats", against="hawks"), "patronage for Sump Rats, to fight Iron Hawks"),
    (records.SellCaptive(captive="krug", by="mags"), "Mags sells Krug to the Guilders"),
    (records.ClaimBounty(captive="krug", by="mags"), "Mags claims the bounty on Krug"),
    (records.DisposeOfCaptive(captive="krug", by="mags"), "Mags disposes of Krug"),
    (records.MedicalEscort(patient="krug", by="mags", paid=False), "Mags takes Krug to the Doc, unpaid"),
    (records.EndActions(gang="rats"), "Sump Rats take no more actions"),
    (records.NegotiateRepairs(vehicle="rig", by="krug"), "Krug has rig repaired"),
    (records.Trade(by="krug"), "Krug trades"),
    (records.SeekRare(gang="rats", market="black_market"), "Sump Rats seek rare things at the black market"),
    (
        records.GainTerritory(gang="rats", territory="ruin", why="won", kind="old_ruins", staked=True),
        "Sump Rats take ruin, the stake: won",
    ),
    (records.LoseTerritory(territory="ruin", why="burnt"), "ruin is nobody's: burnt"),
    (records.TakeIncome(territory="ruin"), "income of ruin"),
    (records.BeginCycle(reason="time", phase="downtime"), "the next cycle begins (downtime): time"),
]  # fmt: skip
