"""A gang's founding budget on the command line: what is spent of it, and a sheet over it."""

from cli_arbitrator import ROOT, Arbitrator

SHEET = (ROOT / "fixtures" / "gangs" / "iron-skulls.yaml").read_text(encoding="utf-8")


def sheet(budget: int) -> str:
    return SHEET.replace("format: gang-sheet/1", f"format: gang-sheet/2\nfounding_budget: {budget}")


def test_a_new_gang_says_what_is_spent_of_its_budget_and_is_refused_over_it(empty: Arbitrator) -> None:
    """Six models of 685 credits, and 40 kept."""
    empty.done("campaign", "new", "Ash Season")
    said = empty.refused(1, "gang", "add", empty.write(sheet(724)))
    assert "costs 685 and keeps 40 in its stash, which is more than its founding budget of 724" in said
    added = empty.done("gang", "add", empty.write(sheet(725))).out
    assert "Of the founding budget of 725, 685 are spent and 40 kept." in added
