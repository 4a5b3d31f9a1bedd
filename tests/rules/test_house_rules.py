"""House rules: those that the source texts mark, and the communities they are tagged with."""

from tables import every

from tracker.rules import loader

MARKED = {
    "one-lasting-injury-roll@1": {"a_and_a"},
    "closest-whatever-the-facing@1": {"a_and_a", "necrodamus"},
    "stray-shots-on-a-6@1": {"a_and_a", "necrodamus"},
    "templates-obey-priority@1": {"a_and_a", "necrodamus"},
    "templates-spill@1": {"a_and_a", "necrodamus"},
}
"""The boxes of the source texts, and by whom each is marked."""


@every("policy", MARKED)
def test_a_house_rule_that_a_source_text_marks_is_in_the_presets_of_those_who_mark_it(policy: str) -> None:
    assert {name for name in loader.presets() if policy in loader.preset(name).policies} == MARKED[policy]


@every("preset", loader.presets())
def test_a_preset_is_what_is_tagged_with_it(preset: str) -> None:
    tagged = {name for name, policy in loader.policies().items() if preset in policy.tags}
    assert set(loader.preset(preset).policies) == tagged


def test_twelve_more_house_rules_change_play_or_injuries() -> None:
    knobs = loader.book("necromunda_2023").knobs
    more = {
        name
        for name, policy in loader.policies().items()
        if "reading" not in policy.tags and name not in MARKED and set(policy.patch) <= set(knobs)
    }
    assert len(more) >= 12


@every("name", loader.policies())
def test_a_policy_moves_what_players_apply_if_and_only_if_it_says_so(name: str) -> None:
    policy = loader.policy(name)
    for book in map(loader.book, loader.book_names()):
        moved = [book.knobs[knob] for knob in policy.patch if knob in book.knobs]
        assert all(knob.at_the_table == ("at_the_table" in policy.tags) for knob in moved)
