import { CounterPage } from "../pages/counter";
import { GuestPage } from "../pages/guest";
import { HallPage } from "../pages/hall";
import { MenuPage } from "../pages/menu";
import { OrderEntry } from "../pages/order-entry";
import type { Language } from "../pages/words";
import type { Restaurant } from "../support/restaurant";
import { DESK, PHONE, type Stations } from "../support/stations";
import { expect, test } from "../support/story";

async function guestAt(stations: Stations, restaurant: Restaurant, table: number, language: Language = "ko"): Promise<GuestPage> {
  const guest = new GuestPage(await stations.phone(restaurant.table(table).code), language);
  await guest.expectLive();
  return guest;
}

async function waiter(stations: Stations, restaurant: Restaurant, language: Language = "ko"): Promise<OrderEntry> {
  const hall = new HallPage(await stations.staff("hall", "hall"), language);
  await hall.expectLive();
  await hall.open(restaurant.table(0).name);
  await hall.action(hall.words.addOrder).click();
  const entry = new OrderEntry(hall.page, language);
  await expect(entry.view).toBeVisible();
  return entry;
}

for (const language of ["ko", "en"] as const) {
  test.describe(() => {
    test.use({ language });

    test(`few, none, and some again are told live to guests and to staff, ${language}`, async ({ stations, restaurant }) => {
      const dish = restaurant.counts(0);
      const guest = await guestAt(stations, restaurant, 1, language);
      await restaurant.staff.seat(restaurant.table(0));
      const entry = await waiter(stations, restaurant, language);
      await entry.view.getByRole("searchbox").fill(dish.name[language] ?? "");
      await expect(entry.tile(dish)).not.toContainText(entry.words.left(30));
      await expect(guest.dish(dish).locator(".left"), "enough").toBeEmpty();

      await restaurant.staff.count(dish, 3);
      await expect(guest.dish(dish)).toContainText(guest.words.left(3));
      await expect(entry.tile(dish)).toContainText(entry.words.left(3));

      const hold = await restaurant.staff.hold(dish, 3);
      await expect(guest.dish(dish)).toContainText(guest.words.soldOut);
      await expect(guest.dish(dish).getByRole("button")).toBeDisabled();
      await expect(entry.tile(dish)).toContainText(entry.words.soldOut);
      await entry.tile(dish).click({ force: true });
      await expect(entry.line(dish), "it cannot be ordered").toHaveCount(0);

      await restaurant.staff.release(hold);
      await expect(guest.dish(dish)).toContainText(guest.words.left(3));
      await expect(guest.dish(dish).getByRole("button")).toBeEnabled();
      await expect(entry.tile(dish)).toContainText(entry.words.left(3));
    });

    test(`a guest's cart is cut to what is left, and what is gone is named, ${language}`, async ({ stations, restaurant }) => {
      const [few, none, stays] = [restaurant.counts(0), restaurant.counts(1), restaurant.dish(0)];
      const guest = await guestAt(stations, restaurant, 1, language);
      await guest.add(stays);
      for (let at = 0; at < 3; at += 1) await guest.add(few);
      await guest.add(none);
      await restaurant.staff.count(few, 2);
      await expect(guest.gone).toContainText(guest.name(few));
      await expect(guest.gone).toContainText(guest.words.left(2));
      await restaurant.staff.count(none, 0);
      await expect(guest.gone).toContainText(guest.name(none));
      await guest.gone.getByRole("button", { name: guest.words.seen, exact: true }).click();
      await guest.openCart();
      await expect(guest.line(few).locator("[role=status]")).toHaveText("2");
      await expect(guest.line(none)).toHaveCount(0);
      await expect(guest.line(stays)).toHaveCount(1);
      await guest.cart.getByRole("button", { name: guest.words.order, exact: true }).click();
      await expect(guest.orders).toHaveCount(1);
      const [order] = await restaurant.staff.hallOrders();
      const ordered = order?.lines.map((line) => [line.name.ko, line.quantity]);
      expect(ordered).toEqual([[stays.name.ko, 1], [few.name.ko, 2]]);
      expect((await restaurant.staff.stock(few)).held).toBe(2);
    });
  });
}

test("a guest cannot ask for more than is left, and is told so before", async ({ stations, restaurant }) => {
  const dish = restaurant.counts(0);
  await restaurant.staff.count(dish, 2);
  const guest = await guestAt(stations, restaurant, 1);
  await guest.add(dish);
  await guest.page.getByRole("button", { name: guest.words.choose(guest.name(dish)), exact: true }).click();
  await expect(guest.sheet).toContainText(guest.words.left(1));
  await expect(guest.sheet.getByRole("button", { name: "하나 더" })).toBeDisabled();
  // Somebody else takes the last one while the sheet is open.
  const hold = await restaurant.staff.hold(dish, 1);
  await expect(guest.sheet).toContainText("남은 수량을 모두 담았습니다.");
  await guest.sheet.locator("input:enabled").first().check();
  await guest.sheet.getByRole("button", { name: guest.words.add }).click({ force: true });
  await expect(guest.sheet, "nothing is added").toBeVisible();
  await restaurant.staff.release(hold);
  await guest.sheet.getByRole("button", { name: guest.words.add }).click();
  await guest.openCart();
  await expect(guest.line(dish).locator("[role=status]")).toHaveText("2");
  await expect(guest.line(dish).getByRole("button", { name: "하나 더" })).toBeDisabled();
});

test("the last portions go while an order is on its way: it is refused whole, and the cart is cut to what is left", async ({ stations, restaurant, watch }) => {
  watch.allow(/status of 409/);
  const [dish, stays] = [restaurant.counts(0), restaurant.dish(0)];
  await restaurant.staff.count(dish, 3);
  const guest = await guestAt(stations, restaurant, 1);
  await guest.add(stays);
  for (let at = 0; at < 3; at += 1) await guest.add(dish);
  await guest.page.route("**/api/guest/orders", async (route) => {
    await restaurant.staff.hold(dish, 2);
    await route.continue();
  });
  await guest.place();
  await expect(guest.gone).toContainText(guest.name(dish));
  await expect(guest.gone).toContainText(guest.words.left(1));
  expect(await restaurant.staff.hallOrders(), "nothing of it was ordered").toEqual([]);
  await guest.page.unroute("**/api/guest/orders");
  await guest.gone.getByRole("button", { name: guest.words.seen, exact: true }).click();
  await guest.cart.getByRole("button", { name: guest.words.order, exact: true }).click();
  await expect(guest.orders).toHaveCount(1);
  const [order] = await restaurant.staff.hallOrders();
  expect(order?.lines.map((line) => line.quantity)).toEqual([1, 1]);
});

test("staff add no more than is left, and an order that comes too late keeps the rest of its cart", async ({ stations, restaurant, watch }) => {
  watch.allow(/status of 409/);
  // One that has no options: a tap adds it at once.
  const [dish, stays] = [restaurant.counts(1), restaurant.dish(0)];
  await restaurant.staff.count(dish, 2);
  await restaurant.staff.seat(restaurant.table(0));
  const entry = await waiter(stations, restaurant);
  await entry.add(stays);
  for (let at = 0; at < 3; at += 1) await entry.add(dish);
  await expect(entry.page.locator(".toasts")).toContainText(entry.words.noMore);
  await expect(entry.line(dish).locator("[role=status]")).toHaveText("2");
  await entry.page.route("**/hall/orders", async (route) => {
    if (route.request().method() === "POST") await restaurant.staff.hold(dish, 1);
    await route.continue();
  });
  await entry.send();
  await expect(entry.gone).toContainText(entry.words.left(1));
  await entry.page.unroute("**/hall/orders");
  await entry.gone.getByRole("button", { name: entry.words.gone }).click();
  await expect(entry.line(dish).locator("[role=status]")).toHaveText("1");
  await expect(entry.line(stays)).toHaveCount(1);
  await entry.send();
  await expect(entry.view).toBeHidden();
  const [order] = await restaurant.staff.hallOrders();
  expect(order?.lines.map((line) => line.quantity)).toEqual([1, 1]);
});

test("an order that takes the last portions is not told that they are gone, however late its answer comes", async ({ stations, restaurant }) => {
  const [dish, other] = [restaurant.counts(1), restaurant.counts(0)];
  await restaurant.staff.count(dish, 2);
  await restaurant.staff.count(other, 1);
  await restaurant.staff.seat(restaurant.table(0));
  const entry = await waiter(stations, restaurant);
  for (let at = 0; at < 2; at += 1) await entry.add(dish);
  let answer = () => {};
  const waits = new Promise<void>((resolve) => (answer = resolve));
  await entry.page.route("**/hall/orders", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    await waits;
    await route.fulfill({ response });
  });
  await entry.send();
  await expect(entry.tile(dish), "the event is there before the answer").toContainText(entry.words.soldOut);
  await expect(entry.line(dish).locator(".gone")).toBeEmpty();
  await expect(entry.gone).toHaveCount(0);
  answer();
  await expect(entry.view).toBeHidden();
  await expect(entry.gone).toHaveCount(0);

  const guest = await guestAt(stations, restaurant, 1);
  await guest.add(other);
  let answerGuest = () => {};
  const guestWaits = new Promise<void>((resolve) => (answerGuest = resolve));
  await guest.page.route("**/api/guest/orders", async (route) => {
    const response = await route.fetch();
    await guestWaits;
    await route.fulfill({ response });
  });
  await guest.place();
  await expect(guest.dish(other)).toContainText(guest.words.soldOut);
  await expect(guest.line(other).locator(".gone")).toBeEmpty();
  answerGuest();
  await expect(guest.orders).toHaveCount(1);
  await expect(guest.gone).toHaveCount(0);
});

test("the queue counts a hold down; entering payment extends it once; a broken one says so", async ({ login, restaurant }) => {
  const counter = await CounterPage.open(login);
  const dish = restaurant.counts(0);
  const order = await restaurant.place(0, [{ item: dish }]);
  const plain = await restaurant.place(1);
  await expect(counter.hold(order)).toHaveText(counter.words.held);
  await expect(counter.hold(order)).toHaveText(/ 9:\d\d$/);
  await expect(counter.hold(plain), "nothing of it is counted").toBeEmpty();
  await counter.askForTender(order);
  await expect(counter.hold(order)).toHaveText(/ 19:\d\d$/);
  await counter.page.keyboard.press("Escape");
  const { holdExpiresAt } = await restaurant.staff.find(order);
  await counter.askForTender(order);
  await counter.page.keyboard.press("Escape");
  await counter.askForTender(plain);
  await counter.page.keyboard.press("Escape");
  expect((await restaurant.staff.find(order)).holdExpiresAt, "once").toBe(holdExpiresAt);
  await restaurant.staff.release(order.rid ?? "");
  await expect(counter.hold(order)).toHaveText(counter.words.lost);
  await expect(counter.hold(order)).toHaveAttribute("data-hold", "lost");
  // There is enough: confirming takes it anew.
  await counter.confirm(order, "card");
  await expect(counter.row(order)).toHaveAttribute("data-stage", "paid");
  expect(await restaurant.staff.stock(dish)).toMatchObject({ onHand: 29, held: 0 });
});

test("entering payment in the hall extends the hold too, once", async ({ stations, restaurant }) => {
  const order = await restaurant.place(0, [{ item: restaurant.counts(0) }]);
  const hall = new HallPage(await stations.staff("hall", "hall"), "ko");
  await hall.expectLive();
  await hall.open(restaurant.table(0).name);
  const before = (await restaurant.staff.find(order)).holdExpiresAt ?? 0;
  const ask = hall.page.getByRole("button", { name: "결제 확인" }).first();
  await ask.click();
  await expect.poll(async () => ((await restaurant.staff.find(order)).holdExpiresAt ?? 0) - before).toBe(600_000);
  await ask.click();
  await ask.click();
  expect(((await restaurant.staff.find(order)).holdExpiresAt ?? 0) - before).toBe(600_000);
});

test("a payment for what is gone is refused by name: not taken, the order goes; taken, a refund is due until it is given back", async ({ login, stations, restaurant, watch }) => {
  watch.allow(/status of 409/);
  const dish = restaurant.counts(0);
  await restaurant.staff.count(dish, 2);
  const first = await restaurant.place(0, [{ item: dish }]);
  const second = await restaurant.place(1, [{ item: dish }]);
  for (const order of [first, second]) await restaurant.staff.release(order.rid ?? "");
  await restaurant.staff.hold(dish, 2);
  const counter = await CounterPage.open(login);
  await counter.confirm(first, "cash");
  await expect(counter.unsold).toContainText(dish.name.ko ?? "");
  await expect(counter.unsold).toContainText("1개 필요 · 0개 남음");
  await counter.unsold.getByRole("button", { name: counter.words.notTaken }).click();
  await expect(counter.row(first)).toHaveCount(0);
  await counter.confirm(second, "card");
  await counter.unsold.getByRole("button", { name: counter.words.taken }).click();
  await expect(counter.page.locator(".toasts")).toContainText("환불할 주문으로 남겼습니다");
  await expect(counter.row(second)).toHaveAttribute("data-stage", "waiting");
  expect((await restaurant.staff.refundsDue()).map((due) => due.orderId)).toEqual([second.id]);

  const manager = new MenuPage(await stations.staff("manager", "menu"), "ko");
  const view = await manager.openStock();
  const refunds = view.getByTestId("refunds");
  await expect(refunds).toContainText(`#${second.number}`);
  await expect(refunds).toContainText(`${dish.name.ko} −1`);
  await refunds.getByRole("button", { name: manager.words.settle }).click();
  await expect(refunds).toHaveCount(0);
  expect(await restaurant.staff.refundsDue()).toEqual([]);
});

for (const [language, viewport] of [["ko", DESK], ["en", PHONE]] as const) {
  test.describe(() => {
    test.use({ language, viewport });

    test(`a manager sees counts and holds live, counts anew, and breaks a hold, ${language}, ${viewport.width} px`, async ({ login, restaurant }) => {
      const dish = restaurant.counts(0);
      const manager = await MenuPage.open(login, "manager");
      await manager.openStock();
      await manager.expectCounts(dish, [30, 30, 0]);
      const order = await restaurant.place(0, [{ item: dish, quantity: 4 }]);
      await manager.expectCounts(dish, [26, 30, 4]);
      await expect(manager.holds).toHaveCount(1);
      await expect(manager.holds).toContainText(restaurant.table(0).name);
      await expect(manager.holds).toContainText(`${manager.name(dish)} 4`);
      await expect(manager.holds).toContainText(/0:\d\d.* 9:\d\d/);

      await manager.stock(dish).getByRole("button", { name: manager.words.adjust }).click();
      const count = manager.adjusting.getByLabel(manager.words.counted);
      const save = manager.adjusting.getByRole("button", { name: manager.words.save });
      await count.fill("3");
      await expect(manager.adjusting).toContainText(manager.words.belowHeld);
      await expect(save).toHaveAttribute("aria-disabled", "true");
      await count.fill("12");
      await expect(manager.adjusting).toContainText("30 → 12 (-18)");
      await expect(save, "without a reason").toHaveAttribute("aria-disabled", "true");
      await manager.adjusting.getByRole("button", { name: manager.words.delivery, exact: true }).click();
      // Somebody counts at the same time: nothing is overwritten unseen.
      await restaurant.staff.count(dish, 20);
      await expect(manager.adjusting).toContainText("20 → 12 (-8)");
      await save.click();
      await expect(manager.adjusting.getByRole("alert")).toContainText(manager.words.recounted);
      expect((await restaurant.staff.stock(dish)).onHand).toBe(20);
      await save.click();
      await expect(manager.adjusting).toBeHidden();
      await manager.expectCounts(dish, [8, 12, 4]);

      await manager.holds.getByRole("button", { name: manager.words.release }).click();
      await manager.page.getByTestId("break").getByRole("button", { name: manager.words.release }).click();
      await expect(manager.holds).toHaveCount(0);
      await manager.expectCounts(dish, [12, 12, 0]);
      expect((await restaurant.staff.find(order)).holdLost).toBe(true);
    });
  });
}

test("what is held can be sold to somebody else once a manager has broken its hold, from the sheet of its dish", async ({ login, stations, restaurant, watch }) => {
  watch.allow(/status of 409/);
  const dish = restaurant.counts(0);
  await restaurant.staff.count(dish, 1);
  await restaurant.staff.hold(dish, 1);
  await restaurant.staff.seat(restaurant.table(0));
  const entry = await waiter(stations, restaurant);
  await entry.view.getByRole("searchbox").fill(dish.name.ko ?? "");
  await expect(entry.tile(dish)).toContainText(entry.words.soldOut);
  const manager = await MenuPage.open(login, "manager");
  await manager.item(dish).getByRole("button", { name: manager.words.adjust }).click();
  await manager.adjusting.getByRole("button", { name: manager.words.release }).click();
  await manager.page.getByTestId("break").getByRole("button", { name: manager.words.release }).click();
  await expect(manager.adjusting.getByTestId("hold")).toHaveCount(0);
  await expect(entry.tile(dish)).toContainText(entry.words.left(1));
  await entry.add(dish);
  await entry.send();
  await expect(entry.view).toBeHidden();
  expect(await restaurant.staff.stock(dish)).toMatchObject({ onHand: 1, held: 1, available: 0 });
});

test("staff who do not manage see the counts, and nothing to change them with", async ({ login, restaurant }) => {
  const dish = restaurant.counts(0);
  const menu = await MenuPage.open(login);
  await expect(menu.item(dish)).toContainText("가능 30 · 재고 30 · 예약 0");
  await menu.openStock();
  await menu.expectCounts(dish, [30, 30, 0]);
  await expect(menu.page.getByTestId("stock").getByRole("button")).toHaveCount(0);
  await expect(menu.holds).toHaveCount(0);
});
