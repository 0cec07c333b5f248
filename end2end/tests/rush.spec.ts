import type { Column } from "../pages/kitchen";
import type { Order } from "../support/staff";
import { expect, test } from "../support/story";

test("the kitchen follows a whole rush without a reload", async ({ kitchen, restaurant }) => {
  test.setTimeout(180_000);
  await kitchen.markDocument();
  const board: Record<Column, Order[]> = { waiting: [], cooking: [], cooked: [] };
  const move = (from: Column, to: Column | undefined): Order | undefined => {
    const order = board[from].shift();
    if (order !== undefined && to !== undefined) board[to].push(order);
    return order;
  };

  // Sixty orders. While they come in, older ones are cooked and served: from full to empty.
  for (let round = 0; round < 60; round += 1) {
    const wanted = [{ item: restaurant.dish(round), quantity: 1 + (round % 3) }, { item: restaurant.dish(round + 1) }];
    board.waiting.push(await restaurant.fire(round, wanted, round % 7 === 0 ? "덜 맵게" : ""));
    if (round % 4 > 0) await each(move("waiting", "cooking"), (order) => restaurant.staff.advance(order, "cooking"));
    if (round % 4 > 1) await each(move("cooking", "cooked"), (order) => restaurant.staff.advance(order, "cooked"));
    if (round % 4 > 2) await each(move("cooked", undefined), (order) => restaurant.staff.serve(order));
    if (round % 15 === 14) await kitchen.expectBoard(board);
  }
  expect(board.waiting.length + board.cooking.length + board.cooked.length).toBeGreaterThan(30);

  while (board.waiting.length > 0) await each(move("waiting", "cooking"), (order) => restaurant.staff.advance(order, "cooking"));
  await kitchen.expectBoard(board);
  while (board.cooking.length > 0) await each(move("cooking", "cooked"), (order) => restaurant.staff.advance(order, "cooked"));
  await kitchen.expectBoard(board);
  while (board.cooked.length > 0) await each(move("cooked", undefined), (order) => restaurant.staff.serve(order));
  await kitchen.expectBoard(board);

  await expect(kitchen.page.getByText(kitchen.words.empty)).toBeVisible();
  await kitchen.expectLive();
  await kitchen.expectNotReloaded();
});

test("a cook starts, finishes and recalls a ticket by its one button", async ({ kitchen, restaurant }) => {
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  await kitchen.start(order);
  await kitchen.expectIn(order, "cooking");
  await kitchen.ready(order);
  await kitchen.expectIn(order, "cooked");
  await kitchen.recall(order);
  await kitchen.expectIn(order, "cooking");
  const [known] = await restaurant.staff.kitchenOrders();
  expect(known?.lines.map((line) => line.kitchenState)).toEqual(["cooking"]);
});

test("an order that is not paid yet stays out of the kitchen", async ({ kitchen, restaurant }) => {
  const unpaid = await restaurant.place(0);
  const paid = await restaurant.fire(1);
  await kitchen.expectIn(paid, "waiting");
  await kitchen.expectGone(unpaid);
  await restaurant.staff.confirm(unpaid);
  await kitchen.expectIn(unpaid, "waiting");
});

test("note, allergy, quantity and name are shown in full", async ({ kitchen, restaurant }) => {
  const item = restaurant.dish(0);
  const note = "두부 많이, 덜 맵게, 파는 빼고 국물은 넉넉하게 그리고 그릇은 따로 두 개 주세요";
  const order = await restaurant.fire(0, [{ item, quantity: 2, note, allergy: "땅콩" }]);
  const ticket = kitchen.ticket(order);
  for (const text of ["2×", item.name.ko ?? "", note, kitchen.words.allergy, "땅콩"]) {
    await expect(ticket.getByText(text).first()).toBeVisible();
  }
  const cut = await ticket.evaluate((card) => [card, ...card.querySelectorAll("*")].some((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible"));
  expect(cut, "something a cook must read is cut off").toBe(false);
});

test("a voided line stays, struck through, until someone has seen it", async ({ kitchen, restaurant }) => {
  const order = await restaurant.fire(0, [{ item: restaurant.dish(0) }, { item: restaurant.dish(1) }]);
  await kitchen.expectIn(order, "waiting");
  const line = order.lines[1];
  if (line === undefined) throw new Error("two lines were ordered");
  await restaurant.staff.voidLine(order, line, "guest changed their mind");
  const ticket = kitchen.ticket(order);
  await expect(ticket.getByText(kitchen.words.voided, { exact: true })).toBeVisible();
  await ticket.getByRole("button", { name: kitchen.words.seen }).click();
  await expect(ticket.getByText(kitchen.words.voided, { exact: true })).toHaveCount(0);
  await kitchen.expectIn(order, "waiting");
});

async function each(order: Order | undefined, act: (order: Order) => Promise<void>): Promise<void> {
  if (order !== undefined) await act(order);
}
