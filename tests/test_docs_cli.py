"""docs/cli.md is what `--help` says, of every noun and verb. Every help begins with what the command does, and has an
example that parses.
"""

import shlex
from collections.abc import Callable, Iterator

import click
from click.testing import CliRunner

from tracker.cli.help import TOPICS, every_command
from tracker.cli.main import NOUNS, arbitrator

HEADING = """\
# Every command

`arbitrator NOUN VERB`, as `--help` says it. `make golden` writes this page from the program. The
[tutorial](tutorial.md) shows them at work.

Data goes to standard output, errors to standard error: one paragraph that says what, where, why and what next.
Every command that reads has `--json`, and each of its documents names its schema; with it, a refusal is an object on standard
output too ([refusal](formats/refusal.md)). Commands that record play have `--dry-run` or a preview. Only a ruling asks back: on a
terminal, without `--expect-head`.

## Exit codes

| Code | |
|---|---|
| 0 | done |
| 1 | the rules or the state refuse: a dead fighter, a battle recorded differently before, a ruling that leaves entries open |
| 2 | the input or the usage is wrong, or dice are missing; nothing was recorded. Also if an answer could not be written out, unless its reader (`\\| head`) had enough: that is 0 |
| 3 | stale or busy: somebody else wrote meanwhile; look again and try again |
| 4 | the log, or a board made from it, is damaged; `arbitrator audit verify` says where |
| 5 | what was asked for is done and kept, but could not be shown: the output is full, closed or read no more, or Ctrl-C came after it was saved. The message says which entries it is and how to see them; do not send it again |
| 70 | a fault of this program; nothing was half written, and the message names the file to report it with |
| 130 | stopped by Ctrl-C, or by the end of input at a question; nothing was recorded |
"""


def walk(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Context]]:
    """Every command, with the context that the page's help is made in."""
    return every_command(command, words, terminal_width=100, max_content_width=100)


def test_the_page_is_current(golden: Callable[[str, str], None]) -> None:
    parts = [HEADING]
    for words, context in walk(arbitrator, ("arbitrator",)):
        parts.append(f"{'##' if len(words) <= 2 else '###'} `{' '.join(words)}`\n")
        help_lines = [line.rstrip() for line in context.command.get_help(context).splitlines()]
        parts.append("```text\n" + "\n".join(help_lines) + "\n```\n")
    golden("../docs/cli.md", "\n".join(parts))


def test_every_command_and_every_option_says_what_it_is_for() -> None:
    silent = []
    for words, context in walk(arbitrator, ("arbitrator",)):
        options = [parameter for parameter in context.command.params if isinstance(parameter, click.Option)]
        silent += [f"{' '.join(words)} {option.opts[-1]}" for option in options if not option.help]
        if not context.command.help:
            silent.append(" ".join(words))
    assert silent == []


WIDTH = 80


def test_a_list_of_commands_shows_the_first_sentence_of_each_whole() -> None:
    cut = []
    for words, context in walk(arbitrator, ("arbitrator",)):
        group = context.command
        if len(words) > 1 and isinstance(group, click.Group):
            longest = max(map(len, group.list_commands(context)))
            for name in group.list_commands(context):
                below = group.get_command(context, name)
                assert below is not None
                short = below.get_short_help_str(WIDTH - 6 - longest)
                if short.endswith("..."):
                    cut.append(f"{' '.join(words)} {name}: {short}")
    assert cut == []


def test_the_list_of_nouns_says_what_each_says_of_itself() -> None:
    context = click.Context(arbitrator)
    themselves = {noun: arbitrator.get_command(context, noun) for noun in NOUNS}
    assert {
        noun: (command.help or "").split("\n")[0] for noun, command in themselves.items() if command
    } == NOUNS


def _examples(command: click.Command) -> list[str]:
    """The command lines in a help, each with what it continues on."""
    text = (command.help or "").replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip().startswith("arbitrator ")]


def test_every_command_has_an_example_that_it_understands() -> None:
    wrong = []
    for words, context in walk(arbitrator, ("arbitrator",)):
        command = context.command
        if isinstance(command, click.Group):
            continue
        examples = _examples(command)
        if not any(line.startswith(" ".join(words)) for line in examples):
            wrong.append(f"{' '.join(words)}: no example")
        for line in examples:
            try:
                _parse(shlex.split(line.partition(" > ")[0])[1:])
            except click.ClickException as error:
                wrong.append(f"{line}: {error.format_message()}")
    assert wrong == []


def _parse(words: list[str]) -> None:
    """What click does with the words before a command runs."""
    if words[0].startswith("--"):
        words = words[2:]
    context = click.Context(arbitrator)
    while isinstance(context.command, click.Group):
        below = context.command.get_command(context, words[0])
        if below is None:
            raise click.UsageError(f"no command {words[0]}")
        if not isinstance(below, click.Group):
            below.make_context(words[0], words[1:], parent=context)
            return
        context, words = click.Context(below, parent=context), words[1:]


def test_the_examples_fit_a_terminal() -> None:
    wide = {
        line
        for _, context in walk(arbitrator, ("arbitrator",))
        for line in (context.command.help or "").splitlines()
        if line.startswith("arbitrator ") and len(line) > WIDTH - 2
    }
    assert wide == set()


def test_help_all_holds_every_command_and_every_topic() -> None:
    printed = CliRunner().invoke(arbitrator, ["help", "all"]).output
    missing = [
        " ".join(words)
        for words, _ in walk(arbitrator, ("arbitrator",))
        if f"{' '.join(words)}\n" not in printed
    ]
    assert missing == []
    assert all(topic in printed for topic in TOPICS.values())
