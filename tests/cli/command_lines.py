"""Command lines and reports as a chance would type them, and the answers that the tool may give."""

import json
import random
from collections.abc import Iterator

import click

from tracker.cli.main import arbitrator as root
from tracker.service.log_verdicts import EXIT_CODES, FEWER_WITNESSES

DOCUMENTED = {0, 1, 2, 3, 4, 130}

WORDS = [
    "krug", "quill", "Pip", "b1", "b2", "1", "2", "3", "7", "10", "10.2", "10.8", "11.2", "1.2", "13", "14", "15", "99",
    "iron-skulls", "gilded-cage", "ash-wastes", "one-lasting-injury-roll@1", "older-injury-dice", "RollMade", "a_and_a",
    "necromunda_2023", "text", "json", "csv", "md", "html", "bash", "battle-report", "4-6", "6-6", "ooa", "serious",
    "10:wound=4", "injury=ooa", "lasting_injury=4-6", "10:lasting_injury=6-6", "-", "--", "-1", "0", "", " ", "\x1b[2J",
    "\u202e", "𝕂", "é", "e\u0301", "'; DROP TABLE events; --", "9" * 30, "x" * 500, "%s", "../..", "/dev/null", "@",
    "--json", "--dry-run", "--roll", "--help", "-h", "--void", "--confirm", "--all", "\udcff", "a\nb", "NaN", "1e9",
]  # fmt: skip

# What often fits a parameter of this name: so that commands are not only refused.
FITTING = {
    "fighter": ["krug", "quill", "hob", "pip", "wren", "tallow"], "gang": ["iron-skulls", "gilded-cage"],
    "who": ["krug", "iron-skulls"], "battle": ["b1", "b2", "3"], "as_of_battle": ["b1", "b2"],
    "event": ["10.2", "10.8", "11.4", "6.4", "5.2", "2.3", "7.2", "12.2", "13.2", "14.2"], "event_type": ["RollMade", "FighterDied"],
    "dispute": ["13", "14", "15", "16", "10.2", "10.8", "6.4", "5.2", "11.2"],
    "faces": ["1", "2", "6", "4-6", "6-6", "2-1", "hobbled"], "reason": ["cocked", "because"], "name": ["Zed", "Ash Wastes", "sump"],
    "dice": ["injury=ooa", "lasting_injury=4-6", "10:save=2", "11:lasting_injury=6-1"],
    "policy": ["one-lasting-injury-roll@1", "older-injury-dice@1", "one-lasting-injury-roll"],
}  # fmt: skip
RULING = ["--faces=2", "--faces=6-6", "--void", "--confirm", "--roll", "--keep=12", "--void-entry=11"]


def commands(
    group: click.Command = root, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every noun and verb there is, with its options."""
    if not isinstance(group, click.Group):
        yield path, group
        return
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield from commands(found, (*path, name))


COMMANDS = sorted(commands(), key=lambda command: command[0])
ENDING = [command for command in COMMANDS if command[0] not in (("serve",), ("daemon",))]
"""All but two: they answer others until they are stopped."""


def typed(dice: random.Random, files: list[str]) -> list[str]:
    """A command line: a noun and a verb that exist, options that exist for the most part, words that may fit."""
    path, command = dice.choice(ENDING)
    words = [*path]
    for parameter in command.params:
        value = dice.choice([*WORDS, *files])
        if parameter.name in FITTING and dice.random() < 0.8:
            value = dice.choice(FITTING[parameter.name])
        if isinstance(parameter, click.Argument):
            if dice.random() < 0.95:
                words.append(
                    dice.choice(files) if parameter.name == "file" and dice.random() < 0.9 else value
                )
        elif parameter.required or dice.random() < 0.3:
            words.append(parameter.opts[0])
            if not (isinstance(parameter, click.Option) and parameter.is_flag):
                if isinstance(parameter.type, click.Choice) and dice.random() < 0.9:
                    value = str(dice.choice(list(parameter.type.choices)))
                elif isinstance(parameter.type, click.IntRange) and dice.random() < 0.8:
                    value = str(dice.randint(-1, 20))
                words.append(value)
    if path[-1] in ("rule", "preview"):
        words += dice.sample(RULING, dice.randint(0, 2))
    for _ in range(dice.choice([0, 0, 0, 0, 1, 2])):
        words.insert(dice.randrange(len(words) + 1), dice.choice(WORDS))
    return words


def fits(ran_code: int, out: str, err: str, words: list[str]) -> None:
    verdicts = {*EXIT_CODES.values(), FEWER_WITNESSES} if "verify" in words else set()
    assert ran_code in DOCUMENTED | verdicts, (words, err)
    assert "Traceback" not in out + err, words
    assert all(line.isprintable() for line in err.split("\n")), words
    if ran_code in (2, 3):
        assert not out or json.loads(out)["schema"] == "arbitrator/refusal/1", words
        assert err, words


MARKS = [
    "[", "]", "{", "}", ": ", "- ", "\n", "\n  ", "'", '"', "#", "&a ", "*a", "!", "|", ">", "%", "---\n", "~", "\\", "<<", ".nan",
    "1e9", "99999999999", "-0", "true", "\t", "\x00", "\u202e", "format: ", "dice", "gangs", ",", "é", "7", "0", "wren", "krug",
    "66", "6-6", "hit", "quill", "winner",
]  # fmt: skip


def mutated(dice: random.Random, text: str) -> str:
    """The text with a few slips: cut, doubled, swapped or replaced."""
    for _ in range(dice.randint(1, 3)):
        start = dice.randrange(len(text))
        end = min(len(text), start + dice.choice([0, 1, 1, 2, 5, 20]))
        put_in = dice.choice([dice.choice(MARKS), "", text[start:end] * 2, text[end : end + 10]])
        text = text[:start] + put_in + text[end:]
    return text or " "
