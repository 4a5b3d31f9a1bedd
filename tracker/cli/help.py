"""Help on a command, or on a topic that concerns many commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from tracker.cli.options import show_at_length
from tracker.errors import BadInput

TOPICS: dict[str, str] = {
    "points": """\
Points in time

--as-of-battle 2        at the end of battle 2, before its post-battle sequence
--going-into-battle 3   as battle 3 begins, after the post-battle sequence of battle 2
--as-of-entry 57        what everybody believed after entry 57 was written
--believed-on DAY       the same, after the last entry of that day (UTC)

The first two go by what counts now.

'roster diff --from POINT --to POINT' writes them battle:2, into:3, entry:57, date:2026-03-14, now.""",
    "files": """\
Files

arbitrator gang add SHEET.yaml           a gang and its fighters
arbitrator gang new SHEET.yaml           the same, question by question
arbitrator battle record REPORT.yaml     a battle, entry by entry
arbitrator battle post FILE.yaml         what came after it
arbitrator judge FILE.yaml               one exchange, decided and not recorded
--armoury FILE.yaml                      what can be bought, hired and learnt
arbitrator policy adopt RULE.toml        a house rule of your own

'arbitrator schema NAME' prints the JSON Schema that an editor completes from. A dash in place of a file
reads standard input.""",
    "questions": """\
Questions

'gang new', 'battle play' and 'battle post --wizard' ask one question at a time,
and keep the answers in a file.

Enter    takes the answer in [brackets]; without brackets, type one
?        explains the question
back     goes back one answer
quit     stops; the same command goes on
1,4      an answer, and after a comma what else applies
51       dice of one roll in a row; r rolls one here
.        stands for Enter where answers are typed ahead, with spaces between them""",
    "exit-codes": """\
Exit codes

0    done
1    the rules or the state refuse
2    input or usage wrong, or dice missing
3    stale or busy: look again and try again
4    the log or the boards are damaged: see 'arbitrator audit verify'
5    done and kept, but not shown
70   a fault of this program
130  stopped by Ctrl-C""",
}


ALL = "all"


class NoSuchTopic(BadInput):
    """There is no help on {topic!r}.{topic:nearest} Topics: {topics}; or name a command, as in 'help roster
    show'.
    """

    topic: str
    topics: tuple[str, ...]
    known: tuple[str, ...]


@click.command("help")
@click.argument("words", nargs=-1, metavar="[TOPIC]...")
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show help on a command or a topic.

    Topics: points, files, questions, exit-codes; or all, for every command and topic in one text.

    \b
    arbitrator help roster show
    arbitrator help points
    arbitrator help all > arbitrator.txt
    """
    if words == (ALL,):
        show_at_length(_everything(ctx.find_root()))
        return
    if len(words) == 1 and words[0] in TOPICS:
        show_at_length(TOPICS[words[0]])
        return
    context = ctx.find_root()
    for word in words:
        group = context.command
        below = group.get_command(context, word) if isinstance(group, click.Group) else None
        if below is None:
            known = group.list_commands(context) if isinstance(group, click.Group) else []
            topics = (*TOPICS, ALL)
            raise NoSuchTopic(topic=word, topics=topics, known=(*topics, *known))
        context = click.Context(below, parent=context, info_name=word, **below.context_settings)
    show_at_length(context.get_help())


def _everything(root: click.Context) -> str:
    """Each command's help under a line with its words, then the topics: for reading without a network."""
    parts = [
        f"{' '.join(words)}\n\n{context.get_help()}"
        for words, context in every_command(root.command, ("arbitrator",))
    ]
    return "\n\n\n".join([*parts, *TOPICS.values()])


def every_command(
    command: click.Command, words: tuple[str, ...], parent: click.Context | None = None, **settings: Any
) -> Iterator[tuple[tuple[str, ...], click.Context]]:
    """The command and every one below it, with its words and the context that its help is made in."""
    own: dict[str, Any] = {**command.context_settings, **settings}
    context = click.Context(command, parent=parent, info_name=words[-1], **own)
    yield words, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, f"{name} is listed"
            yield from every_command(below, (*words, name), context, **settings)
