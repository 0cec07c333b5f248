import { MenuPage } from "../pages/menu";
import { expect, test } from "../support/story";

test("a dish is sold out with one tap, and back with the undo", async ({ login, restaurant }) => {
  const menu = await MenuPage.open(login);
  const dish = restaurant.dish(0);
  await menu.soldOut(dish).click();
  await menu.expectSoldOut(dish, true);
  await expect.poll(async () => (await restaurant.staff.menu()).filter((item) => item.soldOut).length).toBe(1);
  await menu.page.getByRole("button", { name: "실행 취소" }).click();
  await menu.expectSoldOut(dish, false);
  await expect.poll(async () => (await restaurant.staff.menu()).filter((item) => item.soldOut).length).toBe(0);
});

test("everything is sold out as fast as fingers are", async ({ login, restaurant }) => {
  const menu = await MenuPage.open(login);
  const all = await restaurant.staff.menu();
  await expect(menu.items).toHaveCount(all.length);
  for (const item of all) await menu.soldOut(item).click();
  for (const item of all) await menu.expectSoldOut(item, true);
  await expect.poll(async () => (await restaurant.staff.menu()).every((item) => item.soldOut)).toBe(true);
  await menu.page.reload();
  for (const item of all) await menu.expectSoldOut(item, true);
});

test("an option is sold out by itself; without a choice that must be made the dish is too", async ({ login, restaurant }) => {
  const menu = await MenuPage.open(login);
  const all = await restaurant.staff.menu();
  const dish = all.find((item) => item.optionGroups.some((group) => group.min > 0));
  const group = dish?.optionGroups.find((group) => group.min > 0);
  if (dish === undefined || group === undefined) throw new Error("the demo has no dish with a choice");
  await menu.openOptions(dish);
  for (const option of group.options) {
    await menu.item(dish).getByRole("button", { name: `품절 · ${option.name.ko}`, exact: true }).click();
  }
  await expect(menu.item(dish)).toContainText("옵션이 모자라");
  await menu.expectSoldOut(dish, false);
});

test("a dish is found by its name, and the filter shows what is sold out", async ({ login, restaurant }) => {
  const menu = await MenuPage.open(login);
  const [first, second] = [restaurant.dish(0), restaurant.dish(1)];
  await menu.search(menu.name(first));
  await expect(menu.item(first)).toBeVisible();
  await expect(menu.item(second)).toBeHidden();
  await menu.search("없는 음식");
  await expect(menu.page.getByText(menu.words.nothingFound)).toBeVisible();
  await menu.search("");
  await restaurant.staff.soldOut(second, true);
  await menu.expectSoldOut(second, true);
  await menu.onlySoldOut();
  await expect(menu.items).toHaveCount(1);
  // What comes back stays under the finger.
  await menu.soldOut(second).click();
  await menu.expectSoldOut(second, false);
});

test("a refused press puts the switch back and says why", async ({ login, restaurant, page, watch }) => {
  watch.allow(/status of 403/);
  const menu = await MenuPage.open(login);
  const dish = restaurant.dish(0);
  const body = JSON.stringify({ code: "FORBIDDEN", title: "", status: 403 });
  await page.route("**/sold-out", (route) => route.fulfill({ status: 403, contentType: "application/problem+json", body }));
  await menu.soldOut(dish).click();
  await expect(page.getByText("이 계정으로는 할 수 없습니다.")).toBeVisible();
  await menu.expectSoldOut(dish, false);
});
