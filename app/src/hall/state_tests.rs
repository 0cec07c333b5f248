#![cfg(test)]

use super::*;
use crate::hall::fixture::{id, line, order, table, zone};
use crate::ui::watch::{told, watch};

/// Sixty parties, each with an order that is being made; one of them is ready.
fn house(ready: u128) -> House {
    let state = move |n| if n == ready { "cooked" } else { "cooking" };
    let placed = move |n| order(100 + n, Some(n), "confirmed", &[line(200 + n, state(n), 0)]);
    House {
        zones: vec![zone(0)],
        tables: (0..60).map(|n| table(n, Some(&[n]))).collect(),
        orders: (0..60).map(placed).collect(),
        ..House::default()
    }
}

#[test]
fn a_dish_that_is_ready_renders_one_tile_of_sixty() {
    let owner = Owner::new();
    owner.set();
    let hall = Hall::new();
    let in_one_zone = |ready| {
        let mut house = house(ready);
        for table in &mut house.tables {
            Arc::make_mut(table).zone_id = house.zones[0].id;
        }
        house
    };
    hall.show(&in_one_zone(99));
    assert_eq!(hall.tiles.ids.get_untracked().len(), 60);
    let list = watch(|| hall.tiles.ids.track());
    let tiles: Vec<_> = (0..60)
        .map(|n| watch(|| hall.tiles.row(id(n)).unwrap().track()))
        .collect();
    hall.show(&in_one_zone(7));
    let counts: Vec<u32> = tiles.iter().map(|tile| told(tile)).collect();
    assert_eq!(
        (counts.iter().sum::<u32>(), counts[7], told(&list)),
        (1, 1, 0)
    );
    assert_eq!(hall.groups.ids.get_untracked(), [id(7)]);
}

#[test]
fn what_was_there_when_the_page_opened_is_not_spoken_of() {
    let owner = Owner::new();
    owner.set();
    let hall = Hall::new();
    hall.show(&house(7));
    assert_eq!(hall.screen.spoken.get_untracked(), "");
    hall.screen.based.set(true);
    hall.show(&house(7));
    assert_eq!(hall.screen.spoken.get_untracked(), "");
    hall.show(&house(8));
    assert_eq!(hall.screen.spoken.get_untracked(), "서빙 대기 8");
}
