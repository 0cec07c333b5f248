import { GuestPage } from "../pages/guest";
import type { Restaurant } from "../support/restaurant";
import type { Table } from "../support/staff";
import type { Stations } from "../support/stations";
import { expect, test } from "../support/story";

async function guestAt(stations: Stations, table: Table): Promise<GuestPage> {
  const guest = new GuestPage(await stations.phone(table.code), "ko");
  await guest.expectLive();
  return guest;
}

/** A phone whose party has left; the table is free again. */
async function left(stations: Stations, restaurant: Restaurant, table: Table): Promise<GuestPage> {
  const guest = await guestAt(stations, table);
  await restaurant.staff.clear(table);
  await expect(guest.farewell).toBeVisible();
  await restaurant.staff.cleaned(table);
  return guest;
}

async function state(restaurant: Restaurant, table: Table): Promise<string | undefined> {
  return (await restaurant.staff.tables()).find((one) => one.id === table.id)?.state;
}

/** Comes to the address of a table as a camera does that reads its code. */
async function scan(guest: GuestPage, restaurant: Restaurant, table: Table): Promise<void> {
  await guest.page.goto("about:blank");
  await guest.page.goto(`${restaurant.url}/t/${table.code}`);
}

test("a phone whose party has left says goodbye until its guest asks for a new order", async ({ stations, restaurant }) => {
  const table = restaurant.table(0);
  const guest = await left(stations, restaurant, table);

  await guest.page.reload();
  await expect(guest.farewell).toBeVisible();
  await guest.page.goto("about:blank");
  await guest.page.goBack();
  await expect(guest.farewell, "out of the history").toBeVisible();
  await scan(guest, restaurant, table);
  await expect(guest.farewell, "the code is scanned again").toBeVisible();
  await guest.page.getByRole("button", { name: "English" }).click();
  const english = new GuestPage(guest.page, "en");
  await expect(english.farewell).toBeVisible();
  expect(await state(restaurant, table), "nobody has sat down").toBe("free");

  await english.join.click();
  await english.expectLive();
  expect(await state(restaurant, table)).toBe("seated");
  await guest.page.reload();
  await english.expectLive();
});

test("on another evening who scans the code sits down at once, and a tab found again does not", async ({ stations, restaurant }) => {
  const table = restaurant.table(1);
  const guest = await left(stations, restaurant, table);
  await guest.page.evaluate((name) => localStorage.setItem(name, String(Date.now() - 4 * 3_600_000)), `jumun_left:${table.code}`);

  await guest.page.reload();
  await expect(guest.farewell).toBeVisible();
  expect(await state(restaurant, table)).toBe("free");
  await scan(guest, restaurant, table);
  await guest.expectLive();
  expect(await state(restaurant, table)).toBe("seated");
});

test("what is open on an order stays open while orders go on", async ({ stations, restaurant }) => {
  const guest = await guestAt(stations, restaurant.table(0));
  for (const at of [0, 1]) {
    await guest.add(restaurant.dish(at));
    await guest.place();
    await expect(guest.orders).toHaveCount(at + 1);
  }
  const [first, second] = await restaurant.staff.hallOrders();
  if (first === undefined || second === undefined) throw new Error("two orders were placed");
  const card = guest.order(first);
  await card.locator("summary").click();
  await card.evaluate((card) => Object.assign(window, { card }));

  await restaurant.staff.confirm(second);
  await guest.expectStep(second, "paid");
  await restaurant.staff.confirm(first);
  await guest.expectStep(first, "paid");
  await expect(card.locator("details")).toHaveAttribute("open");
  await expect(card.locator("summary")).toBeFocused();
  const same = await card.evaluate((card) => (window as unknown as { card: Element }).card === card);
  expect(same, "the card was not made anew").toBe(true);

  // An order that comes is one card more.
  await guest.add(restaurant.dish(2));
  await guest.place();
  await expect(guest.orders).toHaveCount(3);
  await expect(card.locator("details")).toHaveAttribute("open");
});

test("what was cancelled is not in the sum of the table", async ({ stations, restaurant }) => {
  const guest = await guestAt(stations, restaurant.table(0));
  await guest.add(restaurant.dish(0));
  await guest.place();
  await expect(guest.orders).toHaveCount(1);
  const sum = (await guest.sum.textContent()) ?? "";
  await guest.add(restaurant.dish(1));
  await guest.place();
  await expect(guest.orders).toHaveCount(2);
  await expect(guest.sum).not.toHaveText(sum);

  const order = (await restaurant.staff.hallOrders()).find((order) => order.number === 2);
  const line = order?.lines[0];
  if (order === undefined || line === undefined) throw new Error("the second order is missing");
  await restaurant.staff.voidLine(order, line, "guest changed their mind");
  await expect(guest.sum).toHaveText(sum);
});
