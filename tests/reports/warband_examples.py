"""What is said of warbands: promotion, exploration, ransoms, Blessing Markers, morale."""

from tracker.campaign import records

WARBAND_SENTENCES: list[tuple[records.Event, str]] = [
    (
        records.PromotionDieSpent(
            gang="rats", fighter="krug", succeeded=False, automatic=False, failures=1, section="S"
        ),
        "Krug is not promoted: 1 failed die in a row",
    ),
    (
        records.PromotionDieSpent(
            gang="rats", fighter="krug", succeeded=True, automatic=False, failures=0, section="S"
        ),
        "Krug is promoted",
    ),
    (
        records.PromotionDieSpent(
            gang="rats", fighter="krug", succeeded=True, automatic=True, failures=0, section="S"
        ),
        "Krug is promoted: the die after 5 failed ones",
    ),
    (
        records.ThresholdRaised(gang="rats", game=2, ducats=800, field_strength=11, section="S"),
        "Sump Rats, game 2: Threshold 800 ducats, Field Strength 11",
    ),
    (
        records.ReinforcementsCalled(
            gang="rats", threshold=900, worth=240, less=200, ducats=460, section="S"
        ),
        "Sump Rats call Reinforcements: worth 240 of 900, 200 less, 460 ducats to spend now",
    ),
    (
        records.WarbandExplored(gang="rats", faces=(6, 5, 1), score=12, ducats=120, section="S"),
        "Sump Rats explore: 6+5+1 = 12, loot of 120 ducats",
    ),
    (
        records.LocationFound(gang="rats", location="Chapel", kind="common", score=12, section="S"),
        "Sump Rats find Chapel on 12",
    ),
    (
        records.GloryChanged(gang="rats", before=0, after=2, why="a deed", section="S"),
        "Sump Rats: 0 -> 2 Glory: a deed",
    ),
    (
        records.RansomSettled(fighter="krug", to="rats", ducats=50, section="S"),
        "Krug comes home for a ransom of 50 ducats to Sump Rats",
    ),
    (records.RansomSettled(fighter="krug", to=None, ducats=None, section="S"), "nobody pays for Krug"),
    (
        records.ShellShockTested(fighter="krug", battle=2, bears=True, means="", section="S"),
        "Krug bears the shell shock",
    ),
    (
        records.ShellShockTested(
            fighter="krug", battle=2, bears=False, means="misses the battle", section="S"
        ),
        "Krug is Shell Shocked: misses the battle",
    ),
    (
        records.BlessingMarkersGained(fighter="krug", gained=3, lost=1, markers=6, why="sermon"),
        "Krug gains 3 Blessing Markers, 1 lost: 6 now: sermon",
    ),
    (
        records.BlessingMarkersSpent(fighter="krug", spent=1, use="injury_roll", markers=2),
        "Krug: 1 Blessing Marker spent (injury roll), 2 left",
    ),
    *(
        (
            records.MoraleTested(gang="rats", turn=3, models=4, down_or_out=2, result=result, section="S"),
            f"Sump Rats {words} at the end of turn 3: 2 of 4 Down or Out of Action",
        )
        for result, words in (
            ("holds", "hold"),
            ("shaken", "are Shaken for a turn"),
            ("flees", "flee and have lost"),
        )
    ),
]  # fmt: skip

WARBAND_WORDS: list[tuple[records.Command, str]] = [
    (records.AwardBattleExperience(gang="rats"), "XP of the battle for Sump Rats"),
    (
        records.AwardBattleExperience(gang="rats", deeds=("krug",)),
        "XP of the battle for Sump Rats, Glorious Deeds of Krug",
    ),
    (
        records.AwardLatecomer(fighter="krug", missed=1),
        "XP of a latecomer for Krug: 1 battle missed",
    ),
    (
        records.LearnSkill(fighter="krug", tables=("melee", "ranged"), choose="melee"),
        "skill for Krug out of melee and ranged, melee chosen",
    ),
    (
        records.RollPromotions(gang="rats", dice=(records.PromotionDice(fighter="krug", dice=2),)),
        "promotion dice of Sump Rats: Krug 2",
    ),
    (records.RaiseThreshold(gang="rats", game=4), "Threshold of Sump Rats for game 4"),
    (records.CallReinforcements(gang="rats"), "Reinforcements for Sump Rats"),
    (
        records.Explore(gang="rats", location="Chapel", location_score=9),
        "exploration of Sump Rats, looking for Chapel",
    ),
    (records.ChangeGlory(gang="rats", by=-1, why="a relic"), "Glory of Sump Rats -1: a relic"),
    (records.SettleRansom(fighter="krug", ducats=50), "ransom for Krug: 50 ducats"),
    (records.SettleRansom(fighter="krug", ducats=None), "ransom for Krug: unpaid"),
    (records.RollShellShock(fighter="krug"), "shell shock of Krug"),
    (
        records.GainBlessingMarkers(fighter="krug", count=2, why="sermon"),
        "2 Blessing Markers for Krug: sermon",
    ),
    (records.SpendBlessingMarkers(fighter="krug", count=1), "spend 1 Blessing Marker of Krug"),
    (records.CheckMorale(gang="rats", turn=3), "morale of Sump Rats at the end of turn 3"),
]
