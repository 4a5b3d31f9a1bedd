"""Whose consent a command needs: the gangs of everybody and everything that it names."""

import pytest

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.service.named_gangs import changed_gangs, named_gangs

STATE = CampaignState(
    gang_of={"krug": "skulls", "hob": "cage"},
    vehicle_of={"rust-hauler": "skulls", "mule": "cage", "ark": "saints"},
)


@pytest.mark.parametrize(
    ("command", "gangs"),
    [
        (records.AwardExperience(fighter="krug", amount=1, reason="held on"), {"skulls"}),
        (records.CheckDriver(vehicle="rust-hauler"), {"skulls"}),
        (records.CrewVehicle(vehicle="mule", fighter="krug"), {"skulls", "cage"}),
        (records.ClaimScrap(gang="cage", wrecks=("rust-hauler", "ark")), {"skulls", "cage", "saints"}),
        (records.CheckDriver(vehicle="nobody-s"), set()),
    ],
)
def test_a_command_names_the_gangs_of_its_fighters_and_of_its_vehicles(
    command: records.Command, gangs: set[str]
) -> None:
    assert named_gangs([command], STATE) == gangs


def test_several_commands_name_and_change_what_each_of_them_does() -> None:
    commands = [records.CheckDriver(vehicle="ark"), records.CheckDriver(vehicle="mule")]
    assert named_gangs(commands, STATE) == changed_gangs(commands, STATE) == {"saints", "cage"}
