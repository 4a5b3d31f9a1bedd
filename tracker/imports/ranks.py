"""Ranks: the likely category of a type of fighter, by the names that gang lists use.

Facts from the lists of Necromunda's gangs; other types are asked about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

KNOWN_WITHIN_MIN: Final = 6
"""Type names with fewer letters are not searched within other names."""
ALIKE_MIN: Final = 0.88
"""The similarity that counts: 'tehcmite oculi' is 'techmite oculi'; 'prospector' is no 'prospect'."""

_TYPES: Mapping[str, str] = {
    "leader": """butcher; charter master; chieftain; cult alpha; cult demagogue; forge tyrant; gang
        leader; gang queen; hunt leader; master of shadow; overboss; outcast leader; palanite
        captain; prime; road captain; subjugator captain; word-keeper""",
    "champion": """archeotek; arms master; augmek; cult adept; cutter; deacon; death-maiden; drill
        master; firebrand; forge boss; gang matriarch; hunt champion; hybrid acolyte;
        nacht-ghul; outcast champion; palanite sergeant; phantom; redemptionist deacon; road
        sergeant; stimmer; stormcaller; subjugator sergeant; underboss""",
    "specialist": "drill-kyn",
    "ganger": """brethren; bruiser; cawdor brethren; digger; gang sister; ganger; ghost; gunner;
        hunter; neophyte hybrid; palanite patrolman; skinner; subjugator patrolman; tek;
        warrior""",
    "juve": "bonepicker; bully; greenhorn; initiate; juve; little sister; rookie; shadow; subtek; watcher",
    "prospect": "forge-born; neotek; psy-gheist; way-brethren; wrecker; wyld runner",
    "brute": """ambot; 'jotunn' h-grade servitor ogryn; khimerix; luther pattern excavation automata;
        sanctioner pattern automata; stig-shambler; vartijan exo-driller; zoat""",
    "hanger_on": """agitator; ammo-jack; bullet merchant; dome runner; fixer; propagandist; rogue doc;
        scabber; slopper""",
    "exotic_beast": """caryatid; cephalopod spekter; cyber-mastiff; cyberachnid; grapplehawk; hacked
        cyber-mastiff; millisaur; phelynx; phyrr cat; psychoteric wyrm; sheen bird; sumpkroc;
        techmite oculi; wolfhound""",
}
RANK_OF_TYPE: Mapping[str, str] = MappingProxyType(
    {" ".join(name.split()): rank for rank, names in _TYPES.items() for name in names.split(";")}
)

RANK_OF_WORD: Mapping[str, str] = MappingProxyType(
    {
        "bounty hunter": "hired_gun",
        "hive scum": "hired_gun",
        "leader": "leader",
        "captain": "leader",
        "champion": "champion",
        "sergeant": "champion",
        "specialist": "specialist",
        "prospect": "prospect",
        "juve": "juve",
        "crew": "crew",
        "brute": "brute",
        "ogryn": "brute",
        "servitor": "brute",
        "automata": "brute",
        "hanger-on": "hanger_on",
        "mastiff": "exotic_beast",
        "familiar": "exotic_beast",
        "beast": "exotic_beast",
    }
)
"""Words within a type's name that tell the rank, the most telling first."""


def rank_of(kind: str) -> tuple[str, str] | None:
    """The likely category of a type, and the reason; None if its name tells nothing."""
    named = " ".join(kind.casefold().replace("’", "'").strip("\"' ").split())
    if named in RANK_OF_TYPE:
        return RANK_OF_TYPE[named], f"{kind!r} is one in the gang lists"
    for word, rank in RANK_OF_WORD.items():
        if re.search(rf"\b{re.escape(word)}\b", named):
            return rank, f"{word!r} stands in its name"
    for known in sorted(RANK_OF_TYPE, key=len, reverse=True):
        if len(known) >= KNOWN_WITHIN_MIN and re.search(rf"\b{re.escape(known)}\b", named):
            return RANK_OF_TYPE[known], f"{known!r} of the gang lists stands in its name"
    alike = get_close_matches(named, RANK_OF_TYPE, n=1, cutoff=ALIKE_MIN)
    return (RANK_OF_TYPE[alike[0]], f"it is written much like {alike[0]!r}") if alike else None
