"""Judge: decides one exchange without recording it."""

from __future__ import annotations

import click

from tracker.campaign.judging import judge
from tracker.campaign.missing_dice import explain
from tracker.cli.model_actions import show_actions
from tracker.cli.name_lookup import fighter_id
from tracker.cli.options import as_json, show
from tracker.dice import DiceNeeded, DiceTray, Die
from tracker.documents.judge_file import setting_of
from tracker.documents.yaml_reader import read_document
from tracker.reports.judgement import judgement_page
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.service.roll_source import roll_fairly


@click.command("judge")
@click.argument("file")
@click.option("--roll", is_flag=True, help="Let the tool roll the dice that the file does not give.")
@click.option(
    "--actions",
    metavar="MODEL",
    help="Instead list what this model may do once the exchange is decided, and why not the rest.",
)
@as_json
def command(file: str, roll: bool, actions: str | None, as_json: bool) -> None:
    """Decide one exchange from a file, and record nothing.

    Prints step by step what happens and why, then everybody's state. If a die is missing, it names that die
    and what it is for. FILE is an exchange file; - reads standard input.

    \b
    arbitrator judge shot.yaml
    arbitrator judge shot.yaml --actions mags
    """
    setting = setting_of(read_document(file))

    def tray_of(dice: tuple[Die, ...]) -> DiceTray:
        return DiceTray(dice, roller=roll_fairly if roll else None)

    try:
        verdict = judge(setting, loader.rulebook, tray_of)
    except DiceNeeded as needed:
        explain(needed, loader.rulebook)
        raise
    if actions is None:
        show(judgement_page(verdict), as_json=as_json)
    else:
        names = Names.of_state(verdict.end)
        show_actions(verdict.end, fighter_id(actions, names), names, as_json=as_json)
