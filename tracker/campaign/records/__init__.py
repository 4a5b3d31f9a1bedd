"""Records: every command, event and refusal of a campaign, declared once, a chapter a file."""

from tracker.campaign.records.advancement import *
from tracker.campaign.records.awards import *
from tracker.campaign.records.battles import *
from tracker.campaign.records.boons import *
from tracker.campaign.records.campaigns import *
from tracker.campaign.records.captives import *
from tracker.campaign.records.declaring import *
from tracker.campaign.records.end_phase import *
from tracker.campaign.records.entries import *
from tracker.campaign.records.fighting import *
from tracker.campaign.records.flight import *
from tracker.campaign.records.hits import *
from tracker.campaign.records.injuries import *
from tracker.campaign.records.morale import *
from tracker.campaign.records.mutations import *
from tracker.campaign.records.nerve import *
from tracker.campaign.records.post_battle import *
from tracker.campaign.records.rulings import *
from tracker.campaign.records.shooting import *
from tracker.campaign.records.territories import *
from tracker.campaign.records.trading import *
from tracker.campaign.records.trench_crusade import *
from tracker.campaign.records.vehicle_cards import *
from tracker.campaign.records.vehicle_end_phase import *
from tracker.campaign.records.vehicles import *
from tracker.campaign.records.warbands import *
