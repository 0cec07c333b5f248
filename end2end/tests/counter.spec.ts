import { CounterPage } from "../pages/counter";
import { PHONE } from "../support/stations";
import { expect, test } from "../support/story";

test("the queue is oldest first, and a payment is two taps or a tap and a key", async ({ login, restaurant }) => {
  const first = await restaurant.place(0);
  const second = await restaurant.place(1);
  const takeout = await restaurant.staff.takeout([{ item: restaurant.dish(2), quantity: 2 }]);
  const counter = await CounterPage.open(login);
  await counter.expectQueue([first, second, takeout]);

  await counter.confirm(second, "card");
  await counter.expectQueue([first, takeout]);
  await expect(counter.row(second)).toContainText("카드");

  await counter.askForTender(takeout);
  await counter.page.keyboard.press("1");
  await counter.expectQueue([first]);
  await expect(counter.row(takeout)).toContainText("현금");
  // The last confirmed is the first below the queue.
  await expect(counter.rows.nth(1)).toHaveAttribute("data-testid", `pay-${takeout.id}`);
  expect((await restaurant.staff.kitchenOrders()).map((order) => order.id).sort()).toEqual([second.id, takeout.id].sort());
});

test("it says in words whether the kitchen has it: no screen, then one", async ({ login, restaurant, page }) => {
  const order = await restaurant.place(0);
  const counter = await CounterPage.open(login);
  await counter.confirm(order, "card");
  await expect(counter.delivery(order)).toHaveText("켜진 주방 화면이 없습니다. 주방에 직접 알려 주세요.");

  const kitchen = await page.context().newPage();
  await kitchen.goto(`${restaurant.url}/demo/kitchen`);
  await expect(counter.delivery(order)).toHaveText("주방 전달됨 ✓ 화면 1대 수신", { timeout: 20_000 });

  const next = await restaurant.place(1);
  await counter.confirm(next, "cash");
  await expect(counter.delivery(next)).toHaveText("주방 전달됨 ✓ 화면 1대 수신", { timeout: 20_000 });
  await restaurant.staff.advance(next, "cooking");
  await expect(counter.delivery(next)).toHaveText("주방 전달됨 ✓ 조리 시작");
});

test("a cashier works the queue by keyboard alone", async ({ login, restaurant, page }) => {
  const orders = [await restaurant.place(0), await restaurant.place(1), await restaurant.place(2)];
  const counter = await CounterPage.open(login);
  await counter.expectQueue([...orders]);
  await counter.row(orders[0]!).getByRole("button", { name: counter.words.confirm }).focus();
  for (const key of ["1", "2", "3"]) {
    await page.keyboard.press("Enter");
    await expect(counter.tenders).toBeVisible();
    await page.keyboard.press(key);
    await expect(counter.tenders).toBeHidden();
    const left = await counter.waiting.count();
    if (left > 0) await expect(counter.waiting.first().getByRole("button", { name: counter.words.confirm })).toBeFocused();
  }
  await counter.expectQueue([]);
});

test("an order is refused for a reason that comes up often, or in own words", async ({ login, restaurant }) => {
  const first = await restaurant.place(0);
  const second = await restaurant.place(1);
  const counter = await CounterPage.open(login);
  const { outOf, otherReason, rejectSo } = counter.words;
  await (await counter.askForReason(first)).getByRole("button", { name: outOf }).click();
  await counter.expectQueue([second]);

  const reasons = await counter.askForReason(second);
  await reasons.getByRole("textbox", { name: otherReason }).fill("  손님이 자리를 떴습니다 ");
  await reasons.getByRole("button", { name: rejectSo }).click();
  await counter.expectQueue([]);
  await expect(counter.page.getByText(counter.words.empty)).toBeVisible();
  await counter.page.reload();
  await counter.expectLive();
  await counter.expectQueue([]);
});

test("what was just paid is there after a reload, and the day's sales with it", async ({ login, restaurant }) => {
  const order = await restaurant.place(0);
  const counter = await CounterPage.open(login);
  await expect(counter.sales).toContainText("₩0");
  await counter.confirm(order, "transfer");
  await expect(counter.sales).not.toContainText("₩0");
  await counter.page.reload();
  await counter.expectLive();
  await expect(counter.row(order)).toHaveAttribute("data-stage", "paid");
  await expect(counter.row(order)).toContainText("계좌 이체");

  await counter.sales.click();
  const report = counter.page.getByTestId("report");
  await expect(report.getByRole("row", { name: /계좌 이체 1건/ })).toBeVisible();
  await expect(report.getByRole("row", { name: /현금 0건/ })).toBeVisible();
});

test("a refused confirmation puts the row back and says why", async ({ login, restaurant, page, watch }) => {
  watch.allow(/status of 409/);
  const order = await restaurant.place(0);
  const counter = await CounterPage.open(login);
  const body = JSON.stringify({ code: "INVALID_TRANSITION", title: "", status: 409 });
  await page.route("**/confirm", (route) => route.fulfill({ status: 409, contentType: "application/problem+json", body }));
  await counter.confirm(order, "card");
  await expect(page.getByText("이미 다른 상태로 바뀌었습니다.")).toBeVisible();
  await counter.expectQueue([order]);
});

test("somebody else confirms while the tender is asked for: nothing is paid twice", async ({ login, restaurant }) => {
  const order = await restaurant.place(0);
  const counter = await CounterPage.open(login);
  await counter.askForTender(order);
  await restaurant.staff.confirm(order);
  await expect(counter.tenders).toBeHidden();
  await expect(counter.row(order)).toHaveAttribute("data-stage", "paid");
});

test("an order that changes while its payment is asked for shows its new amount", async ({ login, restaurant, page }) => {
  const order = await restaurant.place(0, [{ item: restaurant.dish(0) }, { item: restaurant.dish(1) }]);
  const counter = await CounterPage.open(login);
  await counter.askForTender(order);
  const before = await counter.tenders.getByRole("heading").textContent();
  await restaurant.staff.voidLine(order, order.lines[1]!, "entered wrongly");
  await expect(page.getByText("금액이 달라졌습니다")).toBeVisible();
  await expect(counter.tenders.getByRole("heading")).not.toHaveText(before ?? "");
  await counter.tenders.getByRole("button", { name: counter.words.tenders.card }).click();
  await expect(counter.row(order)).toHaveAttribute("data-stage", "paid");
});

for (const width of [320, 390, 768, 1280, 1920]) {
  test(`the counter fits ${width} px`, async ({ login, restaurant, page }) => {
    await page.setViewportSize({ width, height: 844 });
    const order = await restaurant.place(0, [{ item: restaurant.dish(0), quantity: 12 }, { item: restaurant.dish(1) }]);
    const counter = await CounterPage.open(login);
    await expect(counter.row(order)).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    const main = await page.locator("main").evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(main).toBeLessThanOrEqual(0);
  });
}

test("a double tap on a payment only asks for its tender, though a tender comes under the finger", async ({ stations, restaurant }) => {
  const orders = [await restaurant.place(0), await restaurant.place(1), await restaurant.place(2)] as const;
  const counter = new CounterPage(await stations.staff("counter", "counter", PHONE), "ko");
  await counter.expectQueue([...orders]);
  const { page } = counter;
  const button = counter.row(orders[1]).locator(".primary");
  const box = await button.boundingBox();
  if (box === null) throw new Error("the second payment cannot be seen");
  await button.dblclick();
  await expect(counter.tenders).toBeVisible();
  const under = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest("button")?.className ?? "", [box.x + box.width / 2, box.y + box.height / 2] as [number, number]);
  expect(under, "a tender lies there").toContain("tender");
  await counter.tenders.getByRole("button", { name: counter.words.tenders.card }).click();
  await expect(counter.tenders).toBeHidden();
  await expect.poll(async () => (await restaurant.staff.kitchenOrders()).length).toBe(1);
});
