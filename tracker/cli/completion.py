"""Completion scripts."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tracker.cli.options import show


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    arbitrator completion bash \\
        > ~/.local/share/bash-completion/completions/arbitrator
    """
    kind = get_completion_class(shell)
    assert kind is not None, f"click completes {shell}"
    show(kind(ctx.find_root().command, {}, "arbitrator", "_ARBITRATOR_COMPLETE").source())
