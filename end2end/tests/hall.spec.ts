import { randomUUID } from "node:crypto";
import { HallPage } from "../pages/hall";
import { seriousFindings } from "../support/axe";
import { request } from "../support/http";
import type { Restaurant } from "../support/restaurant";
import type { Order, Table } from "../support/staff";
import { expect, test as base } from "../support/story";

const test = base.extend<{ hall: HallPage }>({
  hall: async ({ login, page, language }, use) => {
    await login.chooseLanguage();
    await login.open("/login?store=demo&next=%2Fdemo%2Fhall");
    await login.signIn("hall");
    const hall = new HallPage(page, language);
    await hall.expectLive();
    await use(hall);
  },
});

async function cook(restaurant: Restaurant, order: Order): Promise<void> {
  await restaurant.staff.advance(order, "cooking");
  await restaurant.staff.advance(order, "cooked");
}

/** How far each line is, as the server knows it, in the order in which they were ordered. */
async function states(restaurant: Restaurant): Promise<string[]> {
  const orders = (await restaurant.staff.hallOrders()).toSorted((one, other) => one.number - other.number);
  return orders.flatMap((order) => order.lines.map((line) => line.kitchenState));
}

test("a table is seated, eats, pays and is cleaned", async ({ hall, restaurant, watch }) => {
  watch.allow(/status of 409/);
  const { name } = restaurant.table(0);
  await hall.open(name);
  await hall.action(hall.words.more).click();
  await hall.action(hall.words.seat).click();
  await hall.expectState(name, "seated");
  await expect(hall.tile(name)).toContainText("3/");
  await hall.close();

  const order = await restaurant.staff.order(restaurant.table(0), [{ item: restaurant.dish(0) }]);
  await hall.expectState(name, "awaiting-payment");
  await hall.open(name);
  await hall.action(hall.words.clear).click();
  await expect(hall.page.getByText(hall.words.unpaid)).toContainText(`#${order.number}`);
  await hall.action(hall.words.confirm).first().click();
  await hall.action(hall.words.card).click();
  await hall.close();
  await hall.expectState(name, "cooking");

  await cook(restaurant, order);
  await hall.expectState(name, "ready");
  await hall.serve(name);
  await hall.expectState(name, "dining");
  await expect(hall.group(name)).toHaveCount(0);

  await hall.page.getByRole("button", { name: hall.words.undo }).click();
  await hall.expectState(name, "ready");
  await hall.serve(name);
  await hall.open(name);
  await hall.action(hall.words.clear).click();
  await hall.expectState(name, "dirty");
  await hall.open(name);
  await hall.action(hall.words.cleaned).click();
  await hall.expectState(name, "free");
});

test("a party moves while its food is cooking, and nothing is cooked twice", async ({ hall, restaurant }) => {
  const [from, to] = [restaurant.table(0).name, restaurant.table(1).name];
  const order = await restaurant.fire(0);
  await restaurant.staff.advance(order, "cooking");
  await hall.expectState(from, "cooking");

  await hall.open(from);
  await hall.action(hall.words.transfer).click();
  await expect(hall.tile(from)).toHaveAttribute("aria-disabled", "true");
  await hall.page.keyboard.press("Escape");
  await expect(hall.tile(from)).not.toHaveAttribute("aria-disabled", "true");

  await hall.open(from);
  await hall.action(hall.words.transfer).click();
  await hall.tile(to).click();
  await hall.expectState(to, "cooking");
  await hall.expectState(from, "dirty");
  const [moved] = await restaurant.staff.kitchenOrders();
  expect(moved?.lines.map((line) => [line.id, line.kitchenState])).toEqual(order.lines.map((line) => [line.id, "cooking"]));
  expect(moved?.tableLabel).toBe(to);
});

test("tables join while food is cooking, and part again", async ({ hall, restaurant }) => {
  const [first, second] = [restaurant.table(0).name, restaurant.table(1).name];
  const joined = `${first}+${second}`;
  await restaurant.fire(0);
  await restaurant.fire(1);
  await hall.expectState(second, "cooking");
  await hall.open(first);
  await hall.action(hall.words.join).click();
  await hall.tile(second).click();
  await hall.expectState(joined, "cooking");
  await expect(hall.tile(joined)).toContainText(hall.words.joined);
  await expect(hall.tile(second)).toHaveCount(0);

  await hall.open(joined);
  await expect(hall.drawer.locator(".ord")).toHaveCount(2);
  await hall.action(hall.words.unjoin).click();
  await hall.expectState(first, "cooking");
  await hall.expectState(second, "cooking");
});

test("one line moves to another party and keeps its place in the kitchen", async ({ hall, restaurant }) => {
  const order = await restaurant.fire(0, [{ item: restaurant.dish(0) }, { item: restaurant.dish(1) }]);
  await restaurant.fire(1);
  const [from, to] = [restaurant.table(0).name, restaurant.table(1).name];
  await hall.expectState(to, "cooking");
  await hall.open(from);
  await hall.action(hall.words.moveLines).click();
  await hall.drawer.getByRole("checkbox").first().click();
  await hall.action(hall.words.chooseTable).click();
  await hall.tile(to).click();
  await hall.open(to);
  await expect(hall.drawer.locator(".ord")).toHaveCount(2);
  await hall.close();
  const lines = (await restaurant.staff.kitchenOrders()).flatMap((known) => known.lines.map((line) => line.id));
  expect(lines).toEqual(expect.arrayContaining(order.lines.map((line) => line.id)));
  expect(lines).toHaveLength(3);
});

/** Guests at a table call, as their page does. */
async function call(restaurant: Restaurant, table: Table, reason: string): Promise<void> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    request(`${restaurant.jumun.url}/api/guest${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": randomUUID(), ...headers },
      body: JSON.stringify(body),
    });
  const joined = await post(`/${table.code}/join`, {});
  const { token } = JSON.parse(joined.body.toString());
  const called = await post("/calls", { reason }, { authorization: `Bearer ${token}` });
  expect(called.status, called.body.toString()).toBeLessThan(300);
}

test("a call is taken, shows who has it, and is finished", async ({ hall, restaurant, page }) => {
  const [first, second] = [restaurant.table(0), restaurant.table(1)];
  await restaurant.staff.seat(first);
  await restaurant.staff.seat(second);
  await call(restaurant, first, "water");
  await call(restaurant, second, "bill");
  await expect(hall.calls).toHaveCount(2);
  await expect(hall.calls.first()).toContainText(`${first.name} · 물`);
  await expect(hall.tile(first.name)).toContainText("호출 물");

  await hall.calls.first().getByRole("button", { name: hall.words.take }).click();
  await expect(hall.calls.first()).toContainText("확인함");
  await expect(hall.tile(first.name)).not.toContainText("호출");
  await hall.calls.first().getByRole("button", { name: hall.words.done }).click();
  await expect(hall.calls).toHaveCount(1);
  await page.reload();
  await expect(hall.calls).toHaveCount(1);
  await expect(hall.calls.first()).toContainText(second.name);
});

test("a call that is tapped twice is taken and not finished", async ({ hall, restaurant, page }) => {
  const table = restaurant.table(0);
  await restaurant.staff.seat(table);
  await call(restaurant, table, "water");
  const row = hall.calls.first();
  const take = await row.getByRole("button", { name: hall.words.take }).boundingBox();
  await row.getByRole("button", { name: hall.words.take }).dblclick();
  await expect(row).toContainText("확인함");
  const done = await row.getByRole("button", { name: hall.words.done }).boundingBox();
  if (take === null || done === null) throw new Error("there is no button");
  const under = done.x < take.x + take.width / 2 && take.x + take.width / 2 < done.x + done.width;
  expect(under, "it has come under the finger").toBe(true);
  // What the server has.
  await page.reload();
  await expect(hall.calls).toHaveCount(1);
  await expect(row).toContainText("확인함");

  // A moment later it is another press.
  await row.getByRole("button", { name: hall.words.done }).click();
  await expect(hall.calls).toHaveCount(0);
});

test("a call that is pressed twice by a key is taken and not finished", async ({ hall, restaurant, page }) => {
  const table = restaurant.table(0);
  await restaurant.staff.seat(table);
  await call(restaurant, table, "bill");
  await hall.calls.first().getByRole("button", { name: hall.words.take }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(hall.calls.first()).toContainText("확인함");
  await page.reload();
  await expect(hall.calls.first()).toContainText("확인함");
});

test("a finished call that is tapped twice takes no other one", async ({ hall, restaurant, page }) => {
  const tables = [restaurant.table(0), restaurant.table(1)];
  for (const table of tables) {
    await restaurant.staff.seat(table);
    await call(restaurant, table, "water");
  }
  await expect(hall.calls).toHaveCount(2);
  await hall.calls.first().getByRole("button", { name: hall.words.take }).click();
  await hall.calls.first().getByRole("button", { name: hall.words.done }).dblclick();
  await expect(hall.calls).toHaveCount(1);
  await page.reload();
  await expect(hall.calls.first().getByRole("button", { name: hall.words.take })).toBeVisible();
});

test("a dish that is served with two taps leaves the next table's where it is", async ({ hall, restaurant }) => {
  const [first, second] = [restaurant.table(0).name, restaurant.table(1).name];
  const dishes = [{ item: restaurant.dish(0) }];
  await cook(restaurant, await restaurant.fire(0, dishes));
  await cook(restaurant, await restaurant.fire(1, dishes));
  await expect(hall.group(second)).toBeVisible();
  const place = await hall.group(first).boundingBox();
  await hall.group(first).locator(".primary").dblclick();
  await expect(hall.group(first)).toHaveCount(0);
  expect(await hall.group(second).boundingBox(), "it has come under the finger").toEqual(place);
  await hall.expectState(second, "ready");
  await expect.poll(async () => states(restaurant)).toEqual(["served", "cooked"]);

  // A moment later it is another press.
  await hall.serve(second);
  await hall.expectState(second, "dining");
});

test("on a phone a table that is tapped twice opens, and nothing in its drawer is pressed", async ({ hall, restaurant, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { name } = restaurant.table(0);
  await hall.tile(name).dblclick();
  await expect(hall.drawer).toBeVisible();
  await expect(hall.action(hall.words.seat)).toBeVisible();
  // One press on the buttons that come in its place would clear the table, or move the party.
  await hall.action(hall.words.seat).dblclick();
  await expect(hall.action(hall.words.transfer)).toBeVisible();
  await hall.close();
  await hall.expectState(name, "seated");
  await expect(hall.page.locator(".picking")).toHaveCount(0);
});

test("guests are counted as fast as somebody taps", async ({ hall, restaurant }) => {
  const { name } = restaurant.table(0);
  await hall.open(name);
  for (let pair = 0; pair < 2; pair += 1) await hall.action(hall.words.more).dblclick();
  await hall.action(hall.words.seat).click();
  await expect(hall.action(`${hall.words.count} 6`)).toBeVisible();
});

test("what is typed into a note survives what happens to its order meanwhile", async ({ hall, restaurant }) => {
  const wanted = [{ item: restaurant.dish(0) }, { item: restaurant.dish(1) }];
  const order = await restaurant.place(0, wanted);
  await hall.open(restaurant.table(0).name);
  await hall.action(hall.words.note).click();
  await hall.note.pressSequentially("생일 ");
  await restaurant.staff.confirm(order);
  await expect(hall.drawer.locator(".stage")).toContainText(hall.words.paid);
  await expect(hall.note).toBeFocused();
  await hall.note.pressSequentially("파티");
  await expect(hall.note).toHaveValue("생일 파티");
  await hall.action(hall.words.save).click();
  await expect(hall.drawer.locator(".note")).toHaveText("생일 파티");

  await hall.line(0).click();
  await hall.note.pressSequentially("덜 ");
  await restaurant.staff.advance(order, "cooking");
  await expect(hall.line(0)).toContainText(hall.words.cooking);
  await expect(hall.line(1)).toContainText(hall.words.cooking);
  await expect(hall.note).toBeFocused();
  await hall.note.pressSequentially("맵게");
  await hall.action(hall.words.save).click();
  await expect(hall.drawer.locator("li .note")).toHaveText("덜 맵게");
  await expect(hall.note).toHaveCount(0);
});

test("a note that is refused is put back to be sent again", async ({ hall, restaurant, page, watch }) => {
  watch.allow(/status of 422/);
  await restaurant.fire(0);
  await hall.open(restaurant.table(0).name);
  await hall.line(0).click();
  await hall.note.fill("덜 맵게");
  await page.route("**/note", (route) => route.fulfill({ status: 422, json: { code: "BAD_NOTE" } }));
  await hall.action(hall.words.save).click();
  await expect(page.locator(".toast")).toBeVisible();
  await expect(hall.note).toHaveValue("덜 맵게");
  await page.unroute("**/note");
  await hall.note.press("Enter");
  await expect(hall.drawer.locator("li .note")).toHaveText("덜 맵게");
});

test("a move is given up when its guests have left", async ({ hall, restaurant, page }) => {
  const [table, free] = [restaurant.table(0), restaurant.table(1)];
  await restaurant.staff.seat(table);
  await hall.expectState(table.name, "seated");
  await hall.open(table.name);
  await hall.action(hall.words.transfer).click();
  await expect(page.locator(".picking")).toBeVisible();
  await restaurant.staff.clear(table);
  await hall.expectState(table.name, "dirty");
  await expect(page.locator(".picking")).toHaveCount(0);
  await hall.open(free.name);
  await expect(hall.action(hall.words.seat)).toBeVisible();
});

test("lines that somebody else takes away are chosen no more", async ({ hall, restaurant }) => {
  const order = await restaurant.place(0, [{ item: restaurant.dish(0) }, { item: restaurant.dish(1) }]);
  const [gone] = order.lines;
  if (gone === undefined) throw new Error("nothing was ordered");
  await hall.open(restaurant.table(0).name);
  await hall.action(hall.words.moveLines).click();
  for (const at of [0, 1]) await hall.drawer.getByRole("checkbox").nth(at).click();
  await expect(hall.action(hall.words.chooseTable)).toContainText("2");
  await restaurant.staff.voidLine(order, gone, "잘못 입력");
  await expect(hall.action(hall.words.chooseTable)).toContainText("1");
  await expect(hall.drawer.getByRole("checkbox", { checked: true })).toHaveCount(1);
});

test("on a phone the floor and what can be served are two views", async ({ hall, restaurant, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const order = await restaurant.fire(0);
  const { name } = restaurant.table(0);
  await cook(restaurant, order);
  await expect(hall.group(name)).toBeHidden();
  await page.getByRole("button", { name: `${hall.words.serving} 1` }).click();
  await expect(hall.tile(name)).toBeHidden();
  await hall.serve(name);
  await expect(hall.page.getByText(hall.words.nothing)).toBeVisible();
});

test("one line of a table is served alone", async ({ hall, restaurant }) => {
  const order = await restaurant.fire(0, [{ item: restaurant.dish(0) }, { item: restaurant.dish(1) }]);
  const { name } = restaurant.table(0);
  await cook(restaurant, order);
  await hall.expectState(name, "ready");
  await hall.group(name).locator("li button").first().click();
  await expect(hall.group(name).locator("li")).toHaveCount(1);
  await hall.expectState(name, "ready");
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    test.describe(() => {
      test.use({ colorScheme, viewport });

      test(`axe finds nothing serious in the hall, ${colorScheme}, ${viewport.width} px`, async ({ hall, restaurant, page }) => {
        expect(await seriousFindings(page), "empty").toEqual([]);
        const cooked = await restaurant.fire(0, [{ item: restaurant.dish(0), note: "덜 맵게", allergy: "땅콩" }]);
        await cook(restaurant, cooked);
        await restaurant.fire(1);
        await restaurant.place(2);
        await restaurant.staff.seat(restaurant.table(3));
        await hall.expectState(restaurant.table(3).name, "seated");
        expect(await seriousFindings(page), "floor").toEqual([]);
        await hall.open(restaurant.table(0).name);
        await hall.drawer.locator(".line").first().click();
        expect(await seriousFindings(page), "drawer").toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(overflow, "scrolls sideways").toBeLessThanOrEqual(0);
        const small = await page.getByRole("button").evaluateAll((buttons) =>
          buttons
            .map((button) => ({ name: button.textContent, box: button.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 0 && (box.width < 48 || box.height < 47.5))
            .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
        );
        expect(small, "tap targets").toEqual([]);
      });
    });
  }
}
