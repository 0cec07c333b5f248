import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { GuestPage } from "../pages/guest";
import { HallPage } from "../pages/hall";
import { KitchenPage } from "../pages/kitchen";
import { CounterPage } from "../pages/counter";
import { type Language, WORDS } from "../pages/words";
import { request } from "../support/http";
import { PHONE, type Stations } from "../support/stations";
import { expect, test } from "../support/story";

/** Every station of the house, each on a device of its own, live. */
async function house(stations: Stations, language: Language) {
  const kitchen = new KitchenPage(await stations.staff("kitchen", "kitchen"), WORDS[language]);
  const counter = new CounterPage(await stations.staff("counter", "counter"), language);
  const hall = new HallPage(await stations.staff("hall", "hall"), language);
  await Promise.all([kitchen.expectLive(), counter.expectLive(), hall.expectLive()]);
  return { kitchen, counter, hall };
}

async function guestAt(stations: Stations, code: string, language: Language): Promise<GuestPage> {
  const guest = new GuestPage(await stations.phone(code), language);
  await guest.expectLive();
  return guest;
}

for (const language of ["ko", "en"] as const) {
  test.describe(() => {
    test.use({ language });

    test(`a guest orders, pays, eats and leaves, on every screen at once, ${language}`, async ({ stations, restaurant }) => {
      const table = restaurant.table(0);
      const { kitchen, counter, hall } = await house(stations, language);
      const guest = await guestAt(stations, table.code, language);
      const friend = await guestAt(stations, table.code, language);
      await hall.expectState(table.name, "seated");

      // Two kinds, one of them twice; the cart survives a reload.
      const [stew, noodles] = [restaurant.dish(0), restaurant.dish(1)];
      await guest.add(stew);
      await guest.add(stew);
      await guest.add(noodles);
      await guest.page.reload();
      await guest.expectLive();
      await guest.place();
      await expect(guest.cart).toBeHidden();
      const [order] = await restaurant.staff.hallOrders();
      if (order === undefined) throw new Error("nothing was ordered");
      await guest.expectStep(order, "received");
      await friend.expectStep(order, "received");
      await hall.expectState(table.name, "awaiting-payment");
      await kitchen.expectGone(order);

      await counter.confirm(order, "card");
      await expect(counter.delivery(order)).toHaveAttribute("data-delivery", "received");
      await guest.expectStep(order, "paid");
      await hall.expectState(table.name, "cooking");
      await kitchen.expectIn(order, "waiting");
      await expect(kitchen.ticket(order).getByText("2×")).toBeVisible();

      await kitchen.start(order);
      await guest.expectStep(order, "cooking");
      await kitchen.ready(order);
      await guest.expectStep(order, "ready");
      await hall.expectState(table.name, "ready");

      await hall.serve(table.name);
      await guest.expectStep(order, "served");
      await friend.expectStep(order, "served");
      await kitchen.expectGone(order);
      await hall.expectState(table.name, "dining");

      await hall.open(table.name);
      await hall.action(hall.words.clear).click();
      await hall.expectState(table.name, "dirty");
      await expect(guest.farewell).toBeVisible();
      await expect(friend.farewell).toBeVisible();
      expect(await restaurant.staff.hallOrders()).toEqual([]);
    });

    test(`a guest calls, staff takes it and is done, ${language}`, async ({ stations, restaurant }) => {
      const table = restaurant.table(3);
      const hall = new HallPage(await stations.staff("hall", "hall"), language);
      const other = new HallPage(await stations.staff("manager", "hall", PHONE), language);
      const guest = await guestAt(stations, table.code, language);
      await hall.expectLive();
      await guest.call("water");
      await expect(guest.openCalls).toContainText(guest.words.called);
      await expect(hall.calls.first()).toContainText(table.name);
      await expect(other.calls.first()).toContainText(table.name);

      await hall.calls.first().getByRole("button", { name: hall.words.take }).click();
      await expect(guest.openCalls).toContainText(guest.words.accepted);
      await hall.calls.first().getByRole("button", { name: hall.words.done }).click();
      await expect(guest.openCalls).toHaveCount(0);
      await expect(hall.calls).toHaveCount(0);
      await expect(other.calls).toHaveCount(0);
    });

    test(`what is sold out while it is in a guest's cart is named, the rest is ordered, ${language}`, async ({ stations, restaurant }) => {
      const table = restaurant.table(1);
      const guest = await guestAt(stations, table.code, language);
      const [stays, goes] = [restaurant.dish(0), restaurant.dish(2)];
      await guest.add(stays);
      await guest.add(goes);
      await restaurant.staff.soldOut(goes, true);
      await expect(guest.gone).toContainText(guest.name(goes));
      await expect(guest.gone).not.toContainText(guest.name(stays));
      await guest.gone.getByRole("button", { name: guest.words.seen, exact: true }).click();
      await expect(guest.dish(goes).getByRole("button")).toBeDisabled();
      await expect(guest.dish(goes)).toContainText(guest.words.soldOut);
      await guest.place();
      await expect(guest.orders).toHaveCount(1);
      const [order] = await restaurant.staff.hallOrders();
      expect(order?.lines.map((line) => line.name.ko)).toEqual([stays.name.ko]);
      await restaurant.staff.soldOut(goes, false);
      await expect(guest.dish(goes).getByRole("button")).toBeEnabled();
    });
  });
}

test("a refused order tells the guest why", async ({ stations, restaurant }) => {
  const guest = await guestAt(stations, restaurant.table(0).code, "ko");
  const counter = new CounterPage(await stations.staff("counter", "counter"), "ko");
  await guest.add(restaurant.dish(0));
  await guest.place();
  await expect(guest.orders).toHaveCount(1);
  const [order] = await restaurant.staff.hallOrders();
  if (order === undefined) throw new Error("nothing was ordered");
  const reasons = await counter.askForReason(order);
  await reasons.getByRole("button", { name: counter.words.outOf }).click();
  await expect(guest.order(order)).toContainText(guest.words.rejected);
  await expect(guest.order(order)).toContainText(counter.words.outOf);
});

test("two phones at one table, and another table that sees nothing of it", async ({ stations, restaurant }) => {
  const [here, there] = [restaurant.table(0), restaurant.table(1)];
  const mine = await guestAt(stations, here.code, "ko");
  const friends = await guestAt(stations, here.code, "ko");
  const strangers = await guestAt(stations, there.code, "ko");
  await mine.add(restaurant.dish(0));
  await mine.place();
  await friends.add(restaurant.dish(1));
  await friends.place();
  await expect(mine.orders).toHaveCount(2);
  await expect(friends.orders).toHaveCount(2);
  for (const order of await restaurant.staff.hallOrders()) await restaurant.staff.confirm(order);
  await mine.call("staff");
  await expect(friends.openCalls).toHaveCount(1);
  await expect(strangers.orders).toHaveCount(0);
  await expect(strangers.openCalls).toHaveCount(0);
});

test("the phone of a party that left has nothing, and a new party sees nothing of the old", async ({ stations, restaurant }) => {
  const table = restaurant.table(0);
  const old = await guestAt(stations, table.code, "ko");
  await old.add(restaurant.dish(0));
  await old.place();
  await expect(old.orders).toHaveCount(1);
  const [order] = await restaurant.staff.hallOrders();
  if (order === undefined) throw new Error("nothing was ordered");
  await old.add(restaurant.dish(1));
  const token = await old.token(table.code);

  await restaurant.staff.confirm(order);
  for (const to of ["cooking", "cooked"] as const) await restaurant.staff.advance(order, to);
  await restaurant.staff.serve(order);
  await restaurant.staff.clear(table);
  await expect(old.farewell).toBeVisible();
  await expect(old.orders).toHaveCount(0);
  await restaurant.staff.cleaned(table);

  const next = await guestAt(stations, table.code, "ko");
  await expect(next.orders).toHaveCount(0);
  await expect(next.cartBar).toHaveCount(0);
  await next.add(restaurant.dish(2));
  await next.place();
  await expect(next.orders).toHaveCount(1);

  // Whatever becomes of the old page, it learns nothing of them and can do nothing to them.
  await old.page.reload();
  await expect(old.farewell).toBeVisible();
  await expect(old.page.getByText(/주문 #/)).toHaveCount(0);
  await expect(old.dish(restaurant.dish(2))).toHaveCount(0);
  const lines = [{ menuId: restaurant.dish(1).id, quantity: 1, optionIds: [], note: "", allergy: "" }];
  const answer = await request(`${restaurant.jumun.url}/api/guest/orders`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ lines, note: "" }),
  });
  expect(answer.status).toBe(409);
  expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "PARTY_CLEARED" });
  await expect(next.orders).toHaveCount(1);
  expect(await restaurant.staff.hallOrders()).toHaveLength(1);
});

// Trial C40 on a guest's phone.
test("a guest's order whose answer is lost is placed once, also after a reload", async ({ stations, restaurant, watch }) => {
  watch.allowNetworkErrors();
  const guest = await guestAt(stations, restaurant.table(0).code, "ko");
  await guest.add(restaurant.dish(0));
  const keys = keysOfOrders(guest.page);
  // The request reaches the server; its answer does not reach the page.
  await guest.page.route("**/api/guest/orders", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await guest.place();
  await expect(guest.cart.getByRole("button", { name: guest.words.again })).toBeVisible();
  expect(await restaurant.staff.hallOrders()).toHaveLength(1);
  await guest.page.unrouteAll({ behavior: "wait" });

  // Nobody presses anything: the page sends it again by itself.
  await guest.page.reload();
  await guest.expectLive();
  await expect(guest.page.locator(".toast.good")).toBeVisible();
  await expect(guest.cart).toBeHidden();
  await expect(guest.cartBar).toHaveCount(0);
  await expect(guest.orders).toHaveCount(1);
  expect(keys).toHaveLength(2);
  expect(keys[1], "the same press").toBe(keys[0]);

  await guest.page.reload();
  await guest.expectLive();
  await expect(guest.orders).toHaveCount(1);
  await expect(guest.cartBar).toHaveCount(0);
  expect(keys, "it is done with").toHaveLength(2);
  expect(await restaurant.staff.hallOrders()).toHaveLength(1);
});

/** The keys of the orders that a page sends from here on. */
function keysOfOrders(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  page.on("request", (sent) => {
    if (sent.method() === "POST" && sent.url().endsWith("/api/guest/orders")) keys.push(sent.headers()["idempotency-key"]);
  });
  return keys;
}
