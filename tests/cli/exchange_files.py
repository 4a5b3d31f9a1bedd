"""Exchange files for the command line's tests: Krug against Mags and Dot."""

from pathlib import Path

HEAD = """\
format: exchange/1
rulebook: necromunda_2023
gangs:
  skulls:
    fighters:
      - name: Krug
        category: leader
        characteristics: &c {M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}
        weapons:
          - {name: autogun, S: 4, AP: -1, D: 1, traits: [Rapid Fire (1), Deafening], range: {short: 8, long: 24}, ammo: 4+}
  saints:
    fighters:
      - name: Mags
        characteristics: &c
        armour: {name: Mesh armour, save: 5+}
      - name: Dot
        characteristics: &c
"""
NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
HEAD = HEAD.replace(f"&c {NUMBERS}", NUMBERS).replace("&c", NUMBERS)
HIT = "{attacker: krug, weapon: autogun, target: mags}"
PAGE = Path(__file__).parent.parent.parent / "docs" / "formats" / "exchange.md"
EXAMPLE = PAGE.read_text(encoding="utf-8").split("```yaml\n", 1)[1].split("```", 1)[0]
"""The example on the page."""


def exchange(*entries: str, head: str = HEAD, more: str = "") -> str:
    """An exchange file: one entry, or a list of several, each YAML in braces."""
    text = (
        f"exchange: {entries[0]}\n"
        if len(entries) == 1
        else "".join(["exchange:\n", *(f"  - {entry}\n" for entry in entries)])
    )
    return head + more + text


def hit(dice: str = "", **more: str) -> str:
    """Krug's autogun on Mags."""
    weapon = "".join(f", {key}: {value}" for key, value in more.items())
    text = HIT.removesuffix("}") + weapon + "}"
    return f"{{hit: {text}, dice: {{{dice}}}}}" if dice else f"{{hit: {text}}}"
