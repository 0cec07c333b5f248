import { KitchenPage } from "../pages/kitchen";
import { expect, test } from "../support/story";

test("the kitchen's address leads to the login and back to the kitchen", async ({ login, restaurant, page, words, watch }) => {
  watch.allow(/status of 401/);
  const order = await restaurant.fire(0);
  await login.chooseLanguage();
  await login.open("/demo/kitchen");
  await expect(page).toHaveURL(/\/login/);
  await login.signIn("kitchen");
  await expect(page).toHaveURL(/\/demo\/kitchen$/);
  const kitchen = new KitchenPage(page, words);
  await kitchen.expectIn(order, "waiting");
});

test("a reload on the kitchen's address shows the same board", async ({ kitchen, restaurant }) => {
  const waits = await restaurant.fire(0);
  const cooks = await restaurant.fire(1);
  await restaurant.staff.advance(cooks, "cooking");
  await kitchen.expectBoard({ waiting: [waits], cooking: [cooks], cooked: [] });
  await kitchen.page.reload();
  await kitchen.expectLive();
  await kitchen.expectBoard({ waiting: [waits], cooking: [cooks], cooked: [] });
});

test("back and forward come back to a live board", async ({ kitchen, restaurant }) => {
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  await kitchen.page.goto(`${restaurant.url}/login`);
  const meanwhile = await restaurant.fire(1);
  await kitchen.page.goBack();
  await kitchen.expectLive();
  await kitchen.expectBoard({ waiting: [order, meanwhile], cooking: [], cooked: [] });
});

test("an address that is none says so and leads to the login", async ({ page, restaurant, watch }) => {
  watch.allow(/status of 404/);
  await page.goto(`${restaurant.url}/demo/nowhere`);
  await expect(page.getByText("없는 주소입니다.")).toBeVisible();
  await expect(page.getByRole("link", { name: "로그인으로" })).toHaveAttribute("href", "/login");
});
