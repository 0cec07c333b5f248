//! Options as they are being chosen: which are, which group lacks one.

use domain::id::OptionId;
use domain::menu::{MenuItem, OptionGroup};

/// How a group is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Exactly one.
    One,
    /// One or none.
    OneOrNone,
    /// Several.
    Several,
}

/// How `group` is chosen from.
#[must_use]
pub fn kind(group: &OptionGroup) -> Kind {
    match (group.min, group.max) {
        (0, 1) => Kind::OneOrNone,
        (_, 1) => Kind::One,
        _ => Kind::Several,
    }
}

/// How many of `group` are chosen.
#[must_use]
pub fn count(group: &OptionGroup, chosen: &[OptionId]) -> u32 {
    let options = group.options.iter();
    options.filter(|o| chosen.contains(&o.id)).count() as u32
}

/// Chooses `option` of `group`, or none; what else the group had goes where only one may be.
pub fn choose(group: &OptionGroup, chosen: &mut Vec<OptionId>, option: Option<OptionId>, on: bool) {
    if kind(group) != Kind::Several {
        chosen.retain(|id| group.options.iter().all(|option| option.id != *id));
    }
    if let Some(id) = option {
        chosen.retain(|known| *known != id);
        if on {
            chosen.push(id);
        }
    }
}

/// The first group that lacks a choice.
#[must_use]
pub fn lacking<'a>(item: &'a MenuItem, chosen: &[OptionId]) -> Option<&'a OptionGroup> {
    let mut groups = item.option_groups.iter();
    groups.find(|group| count(group, chosen) < group.min)
}

/// The chosen options in the menu's order, so that equal choices are equal lines.
#[must_use]
pub fn in_order(item: &MenuItem, chosen: &[OptionId]) -> Vec<OptionId> {
    let options = item.option_groups.iter().flat_map(|group| &group.options);
    let ids = options.map(|option| option.id);
    ids.filter(|id| chosen.contains(id)).collect()
}

mod tests {
    #![cfg(test)]

    use super::*;
    use crate::entry::fixture::{option_id, stew};

    #[test]
    fn a_second_choice_takes_the_place_of_the_first_where_only_one_may_be() {
        let item = stew(1);
        let (size, extra) = (&item.option_groups[0], &item.option_groups[1]);
        let mut chosen = Vec::new();
        choose(extra, &mut chosen, Some(option_id(21)), true);
        choose(size, &mut chosen, Some(option_id(11)), true);
        choose(size, &mut chosen, Some(option_id(12)), true);
        assert_eq!(in_order(&item, &chosen), [option_id(12), option_id(21)]);
        choose(extra, &mut chosen, None, true);
        assert_eq!(chosen, [option_id(12)]);
    }

    #[test]
    fn several_are_chosen_and_taken_back_one_by_one() {
        let mut item = stew(1);
        item.option_groups[1].max = 2;
        let extra = &item.option_groups[1];
        assert_eq!(kind(extra), Kind::Several);
        let mut chosen = Vec::new();
        for number in [22, 21, 22] {
            choose(extra, &mut chosen, Some(option_id(number)), true);
        }
        assert_eq!(count(extra, &chosen), 2);
        choose(extra, &mut chosen, Some(option_id(22)), false);
        assert_eq!(chosen, [option_id(21)]);
    }

    #[test]
    fn the_group_that_lacks_a_choice_is_found() {
        let item = stew(1);
        let lacks = |chosen: &[OptionId]| lacking(&item, chosen).map(|group| group.id);
        assert_eq!(lacks(&[option_id(21)]), Some(item.option_groups[0].id));
        assert_eq!(lacks(&[option_id(11)]), None);
    }
}
