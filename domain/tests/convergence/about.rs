//! What an event is about.

use domain::event::{Event, Kind, Payload, Thin};
use domain::snapshot::Entities;
use domain::stream::Scope;
use uuid::Uuid;

pub fn bit(scope: Scope) -> u16 {
    let at = Scope::ALL.iter().position(|other| *other == scope);
    1 << at.unwrap_or(15)
}

/// The entity of an event, its version, and the scopes that hold it.
pub fn describe(event: &Event) -> Option<(Kind, Uuid, u64, u16)> {
    match event {
        Event::HallPayment(Payload::Whole(order))
        | Event::HallPaymentResolved(Payload::Whole(order))
        | Event::KitchenCook(Payload::Whole(order))
        | Event::KitchenProgress(Payload::Whole(order))
        | Event::HallServe(Payload::Whole(order))
        | Event::OrderChanged(Payload::Whole(order)) => {
            let holds = Scope::ALL.iter().filter(|scope| scope.holds_order(order));
            let scopes = holds.map(|scope| bit(*scope)).sum();
            Some((Kind::Order, order.id.0, order.version, scopes))
        }
        Event::CustomerCall(Payload::Whole(call)) => {
            let scopes = if call.is_open() { bit(Scope::Calls) } else { 0 };
            Some((Kind::Call, call.id.0, call.version, scopes))
        }
        Event::TableChanged(Payload::Whole(table)) => {
            Some((Kind::Table, table.id.0, table.version, bit(Scope::Tables)))
        }
        Event::KitchenMenuChanged(Payload::Whole(item)) => {
            Some((Kind::Menu, item.id.0, item.version, bit(Scope::Menu)))
        }
        Event::StockChanged(Payload::Whole(stock)) => {
            Some((Kind::Stock, stock.id.0, stock.version, bit(Scope::Menu)))
        }
        _ => None,
    }
}

pub fn thinned(event: &Event) -> Event {
    let Some((_, id, version, _)) = describe(event) else {
        return event.clone();
    };
    let thin = Thin {
        id,
        version,
        fetch: true,
    };
    match event {
        Event::HallPayment(_) => Event::HallPayment(Payload::Thin(thin)),
        Event::HallPaymentResolved(_) => Event::HallPaymentResolved(Payload::Thin(thin)),
        Event::KitchenCook(_) => Event::KitchenCook(Payload::Thin(thin)),
        Event::KitchenProgress(_) => Event::KitchenProgress(Payload::Thin(thin)),
        Event::HallServe(_) => Event::HallServe(Payload::Thin(thin)),
        Event::OrderChanged(_) => Event::OrderChanged(Payload::Thin(thin)),
        Event::CustomerCall(_) => Event::CustomerCall(Payload::Thin(thin)),
        Event::TableChanged(_) => Event::TableChanged(Payload::Thin(thin)),
        Event::KitchenMenuChanged(_) => Event::KitchenMenuChanged(Payload::Thin(thin)),
        Event::StockChanged(_) => Event::StockChanged(Payload::Thin(thin)),
        Event::ReloadRequired(_) => event.clone(),
    }
}

pub fn collect(event: &Event, into: &mut Entities) {
    fn put<T>(list: &mut Vec<T>, entity: &T, same: impl Fn(&T) -> bool)
    where
        T: Clone,
    {
        list.retain(|other| !same(other));
        list.push(entity.clone());
    }
    match event {
        Event::HallPayment(Payload::Whole(order))
        | Event::HallPaymentResolved(Payload::Whole(order))
        | Event::KitchenCook(Payload::Whole(order))
        | Event::KitchenProgress(Payload::Whole(order))
        | Event::HallServe(Payload::Whole(order))
        | Event::OrderChanged(Payload::Whole(order)) => {
            put(&mut into.orders, order, |other| other.id == order.id);
        }
        Event::CustomerCall(Payload::Whole(call)) => {
            put(&mut into.calls, call, |other| other.id == call.id);
        }
        Event::TableChanged(Payload::Whole(table)) => {
            put(&mut into.tables, table, |other| other.id == table.id);
        }
        Event::KitchenMenuChanged(Payload::Whole(item)) => {
            put(&mut into.items, item, |other| other.id == item.id);
        }
        Event::StockChanged(Payload::Whole(stock)) => {
            put(&mut into.stock, stock, |other| other.id == stock.id);
        }
        _ => {}
    }
}
