//! Everything that can be asked for, and who does it.

use domain::id::{CallId, LineId, MenuId, OrderId, ReservationId, StockId, TableId};
use uuid::Uuid;

use super::super::refusal::ServiceError;
use super::super::stock::{Adjust, Extend, Finalize, HoldBatch, How, Release};
use super::{
    AddLines, Advance, Ask, CallStep, Confirm, Covers, GuestPlace, JoinTables, MoveLines, MoveTo,
    Note, PlaceOrder, Priority, Reject, SoldOut, SomeLines, TableStep, TheseLines, VoidLine, Work,
};

/// Everything staff and guests can ask for.
#[derive(Clone, Debug)]
#[expect(
    missing_docs,
    reason = "each is named as its endpoint in the domain's list"
)]
pub enum Command {
    PlaceOrder {
        body: PlaceOrder,
    },
    AddLines {
        order: OrderId,
        body: AddLines,
    },
    Confirm {
        order: OrderId,
        body: Confirm,
    },
    Reject {
        order: OrderId,
        body: Reject,
    },
    SetNote {
        order: OrderId,
        body: Note,
    },
    SetLineNote {
        order: OrderId,
        line: LineId,
        body: Note,
    },
    Void {
        order: OrderId,
        line: LineId,
        body: VoidLine,
    },
    MoveLines {
        order: OrderId,
        body: MoveLines,
    },
    Advance {
        order: OrderId,
        body: Advance,
    },
    Recall {
        order: OrderId,
        body: SomeLines,
    },
    SetPriority {
        order: OrderId,
        body: Priority,
    },
    AcknowledgeVoids {
        order: OrderId,
        body: TheseLines,
    },
    Serve {
        order: OrderId,
        body: SomeLines,
    },
    Call {
        call: CallId,
        step: CallStep,
    },
    Seat {
        table: TableId,
        body: Covers,
    },
    SetCovers {
        table: TableId,
        body: Covers,
    },
    Table {
        table: TableId,
        step: TableStep,
    },
    Transfer {
        table: TableId,
        body: MoveTo,
    },
    Join {
        table: TableId,
        body: JoinTables,
    },
    SetSoldOut {
        item: MenuId,
        body: SoldOut,
    },
    GuestPlace {
        body: GuestPlace,
    },
    GuestCall {
        body: Ask,
    },
    HoldBatch {
        body: HoldBatch,
        how: How,
    },
    HoldFinalize {
        rid: ReservationId,
        body: Finalize,
    },
    HoldExtend {
        rid: ReservationId,
        body: Extend,
    },
    HoldRelease {
        rid: ReservationId,
        body: Release,
    },
    StockAdjust {
        stock: StockId,
        body: Adjust,
    },
    RefundSettle {
        refund: Uuid,
    },
}

impl Command {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::PlaceOrder { .. } => "place-order",
            Self::AddLines { .. } => "add-lines",
            Self::Confirm { .. } => "confirm",
            Self::Reject { .. } => "reject",
            Self::SetNote { .. } | Self::SetLineNote { .. } => "note",
            Self::Void { .. } => "void",
            Self::MoveLines { .. } => "move-lines",
            Self::Advance { .. } => "advance",
            Self::Recall { .. } => "recall",
            Self::SetPriority { .. } => "priority",
            Self::AcknowledgeVoids { .. } => "acknowledge-voids",
            Self::Serve { .. } => "serve",
            Self::Call { .. } => "call",
            Self::Seat { .. } => "seat",
            Self::SetCovers { .. } => "covers",
            Self::Table { .. } => "table",
            Self::Transfer { .. } => "transfer",
            Self::Join { .. } => "join",
            Self::SetSoldOut { .. } => "sold-out",
            Self::GuestPlace { .. } => "guest-order",
            Self::GuestCall { .. } => "guest-call",
            Self::HoldBatch { .. } => "hold",
            Self::HoldFinalize { .. } => "hold-finalize",
            Self::HoldExtend { .. } => "hold-extend",
            Self::HoldRelease { .. } => "hold-release",
            Self::StockAdjust { .. } => "stock-adjust",
            Self::RefundSettle { .. } => "refund-settle",
        }
    }

    pub(super) async fn run(self, work: &mut Work) -> Result<(), ServiceError> {
        match self {
            Self::PlaceOrder { body } => work.place_order(body).await,
            Self::AddLines { order, body } => work.add_lines(order, body).await,
            Self::Confirm { order, body } => work.confirm(order, body).await,
            Self::Reject { order, body } => work.reject(order, &body).await,
            Self::SetNote { order, body } => work.set_note(order, &body).await,
            Self::SetLineNote { order, line, body } => work.set_line_note(order, line, &body).await,
            Self::Void { order, line, body } => work.void(order, line, &body).await,
            Self::MoveLines { order, body } => work.move_lines(order, &body).await,
            Self::Advance { order, body } => work.advance(order, &body).await,
            Self::Recall { order, body } => work.recall(order, &body).await,
            Self::SetPriority { order, body } => work.set_priority(order, &body).await,
            Self::AcknowledgeVoids { order, body } => work.acknowledge_voids(order, &body).await,
            Self::Serve { order, body } => work.serve(order, &body).await,
            Self::Call { call, step } => work.call_step(call, step).await,
            Self::Seat { table, body } => work.seat(table, &body).await,
            Self::SetCovers { table, body } => work.set_covers(table, &body).await,
            Self::Table { table, step } => work.table_step(table, step).await,
            Self::Transfer { table, body } => work.transfer(table, &body).await,
            Self::Join { table, body } => work.join(table, &body).await,
            Self::SetSoldOut { item, body } => work.set_sold_out(item, &body).await,
            Self::GuestPlace { body } => work.guest_place(body).await,
            Self::GuestCall { body } => work.guest_call(&body).await,
            Self::HoldBatch { body, how } => work.hold_batch(body, how).await,
            Self::HoldFinalize { rid, body } => work.hold_finalize(rid, &body).await,
            Self::HoldExtend { rid, body } => work.hold_extend(rid, &body).await,
            Self::HoldRelease { rid, body } => work.hold_release(rid, &body).await,
            Self::StockAdjust { stock, body } => work.stock_adjust(stock, &body).await,
            Self::RefundSettle { refund } => work.refund_settle(refund).await,
        }
    }
}
