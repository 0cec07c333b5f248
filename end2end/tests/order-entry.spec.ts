import { HallPage } from "../pages/hall";
import { OrderEntry } from "../pages/order-entry";
import { DESK, PHONE, type Stations } from "../support/stations";
import type { Restaurant } from "../support/restaurant";
import { expect, test } from "../support/story";

/** A waiter with order entry open at the table of that index. */
async function waiter(stations: Stations, restaurant: Restaurant, index: number, viewport = DESK): Promise<OrderEntry> {
  const hall = new HallPage(await stations.staff("hall", "hall", viewport), "ko");
  await hall.expectLive();
  await hall.open(restaurant.table(index).name);
  await hall.action(hall.words.addOrder).click();
  return new OrderEntry(hall.page, "ko");
}

// Trial C41, on the screens.
test("two waiters add to one table at the same instant and lose nothing", async ({ stations, restaurant, kitchen }) => {
  const [water, beer, burger, potato] = [0, 1, 2, 3].map((index) => restaurant.dish(index)) as [never, never, never, never];
  await restaurant.fire(0, [{ item: water }]);
  const first = await waiter(stations, restaurant, 0);
  const second = await waiter(stations, restaurant, 0);
  await first.add(beer);
  await first.add(beer);
  for (const dish of [burger, potato, potato, potato]) await second.add(dish);
  await Promise.all([first.send(), second.send()]);
  await expect(first.view).toBeHidden();
  await expect(second.view).toBeHidden();

  for (const order of await restaurant.staff.hallOrders()) if (order.number > 1) await restaurant.staff.confirm(order);
  const lines = (await restaurant.staff.kitchenOrders()).flatMap((order) => order.lines);
  const counts = Object.fromEntries(lines.map((line) => [line.name.ko, line.quantity]));
  const wanted = [[water, 1], [beer, 2], [burger, 1], [potato, 3]] as [{ name: { ko: string } }, number][];
  expect(counts).toEqual(Object.fromEntries(wanted.map(([dish, count]) => [dish.name.ko, count])));
  expect(lines).toHaveLength(4);
  for (const order of await restaurant.staff.kitchenOrders()) await kitchen.expectIn(order, "waiting");
});

// Trial C40, on the screens: the server has it, the answer is lost, the page is loaded again.
test("an order whose answer is lost is placed once, also after a reload", async ({ stations, restaurant, watch }) => {
  watch.allowNetworkErrors();
  const entry = await waiter(stations, restaurant, 1);
  await entry.add(restaurant.dish(0));
  const { page } = entry;
  // The request reaches the server; its answer does not reach the page.
  await page.route("**/hall/orders", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await entry.send();
  await expect.poll(async () => (await restaurant.staff.hallOrders()).length).toBe(1);
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await new HallPage(page, "ko").expectLive();
  await expect(page.locator(".toast.good")).toBeVisible();
  expect(await restaurant.staff.hallOrders()).toHaveLength(1);

  await page.reload();
  await new HallPage(page, "ko").expectLive();
  await page.getByRole("button", { name: "주문 입력" }).click();
  await expect(entry.view.locator(".cart-line"), "the draft is gone").toHaveCount(0);
});

test("while an order is on its way its cart, its note and its place stay as they were sent", async ({ stations, restaurant, watch }) => {
  watch.allowNetworkErrors();
  const entry = await waiter(stations, restaurant, 1);
  const [sent, other] = [restaurant.dish(0), restaurant.dish(1)];
  await entry.add(sent);
  const { page } = entry;
  await page.route("**/hall/orders", (route) => route.abort("connectionreset"));
  await entry.send();
  await expect(entry.view.getByRole("textbox", { name: entry.words.note })).toBeDisabled();
  await expect(entry.view.locator("button.place")).toBeDisabled();
  await entry.view.getByRole("searchbox").fill(other.name.ko ?? "");
  await entry.tile(other).click();
  await expect(entry.line(other), "nothing is added").toHaveCount(0);
  await expect(entry.line(sent).getByRole("button").first()).toBeDisabled();
  await page.unrouteAll({ behavior: "wait" });
  await expect(entry.view).toBeHidden();
  const orders = await restaurant.staff.hallOrders();
  expect(orders.flatMap((order) => order.lines.map((line) => line.name.ko))).toEqual([sent.name.ko]);
});

test("a cart goes with its party when the party moves, and the next guests find nothing of it", async ({ stations, restaurant }) => {
  const order = await restaurant.fire(1, [{ item: restaurant.dish(2) }]);
  const entry = await waiter(stations, restaurant, 1);
  await entry.add(restaurant.dish(0));
  await restaurant.staff.transfer(restaurant.table(1), restaurant.table(4));
  await expect(entry.view.locator("button.place")).toContainText(restaurant.table(4).name);
  await entry.send();
  await expect(entry.view).toBeHidden();
  const theirs = (await restaurant.staff.hallOrders()).filter((one) => one.id !== order.id);
  expect(theirs.map((one) => [one.tableLabel, one.lines[0]?.name.ko])).toEqual([[restaurant.table(4).name, restaurant.dish(0).name.ko]]);
});

test("what is sold out while it is in the cart is named, and the rest is kept", async ({ stations, restaurant }) => {
  const entry = await waiter(stations, restaurant, 0);
  const [stays, goes] = [restaurant.dish(0), restaurant.dish(1)];
  await entry.add(stays);
  await entry.add(goes);
  await restaurant.staff.soldOut(goes, true);
  await expect(entry.gone).toContainText(goes.name.ko ?? "");
  await entry.gone.getByRole("button", { name: entry.words.gone }).click();
  await expect(entry.line(goes)).toHaveCount(0);
  await expect(entry.line(stays)).toHaveCount(1);
  await entry.view.getByRole("searchbox").fill(goes.name.ko ?? "");
  await expect(entry.tile(goes)).toContainText(entry.words.soldOut);
  await entry.tile(goes).click({ force: true });
  await expect(entry.line(goes), "it cannot be ordered").toHaveCount(0);
  await entry.send();
  await expect(entry.view).toBeHidden();
  const [order] = await restaurant.staff.hallOrders();
  expect(order?.lines.map((line) => line.name.ko)).toEqual([stays.name.ko]);
});

test("a draft survives a reload and waits at its table", async ({ stations, restaurant }) => {
  const entry = await waiter(stations, restaurant, 2, PHONE);
  await entry.add(restaurant.dish(0));
  await entry.page.reload();
  const hall = new HallPage(entry.page, "ko");
  await hall.expectLive();
  await hall.open(restaurant.table(2).name);
  await hall.action(hall.words.addOrder).click();
  await entry.view.locator(".cart-bar").click();
  await expect(entry.line(restaurant.dish(0))).toBeVisible();
  await entry.send();
  await expect(entry.view).toBeHidden();
  expect(await restaurant.staff.hallOrders()).toHaveLength(1);
});

test("takeout from the counter needs no table and waits for its payment", async ({ stations, restaurant }) => {
  const page = await stations.staff("counter", "counter");
  const entry = new OrderEntry(page, "ko");
  await page.getByRole("button", { name: "주문 입력" }).click();
  await entry.add(restaurant.dish(0));
  await entry.send();
  await entry.places.getByRole("button", { name: "포장" }).click();
  await entry.send();
  await expect(entry.view).toBeHidden();
  const [order] = await restaurant.staff.hallOrders();
  expect(order?.tableLabel).toBe("");
  await expect(page.getByTestId(`pay-${order?.id}`)).toContainText("포장");
});
