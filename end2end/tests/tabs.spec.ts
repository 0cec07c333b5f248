import { KitchenPage } from "../pages/kitchen";
import { expect, test } from "../support/story";

test("two tabs of one browser follow each other", async ({ kitchen, restaurant, context, words }) => {
  const second = new KitchenPage(await context.newPage(), words);
  await second.page.goto(`${restaurant.url}/demo/kitchen`);
  await second.expectLive();

  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  await second.expectIn(order, "waiting");
  await kitchen.start(order);
  await second.expectIn(order, "cooking");
  await second.ready(order);
  await kitchen.expectIn(order, "cooked");
});

test("the same press on two screens is done once", async ({ kitchen, restaurant, context, words }) => {
  const second = new KitchenPage(await context.newPage(), words);
  await second.page.goto(`${restaurant.url}/demo/kitchen`);
  await second.expectLive();
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  await second.expectIn(order, "waiting");

  // The second screen's press is under way while the first one's is answered.
  let open = () => {};
  const gate = new Promise<void>((resume) => {
    open = resume;
  });
  const held = new Promise<void>((resume) => {
    void second.page.route("**/advance", async (route) => {
      resume();
      await gate;
      await route.continue();
    });
  });
  await second.start(order);
  await held;
  await kitchen.start(order);
  await expect.poll(async () => (await restaurant.staff.kitchenOrders())[0]?.lines[0]?.kitchenState).toBe("cooking");
  const answered = second.page.waitForResponse("**/advance");
  open();
  expect((await answered).status()).toBe(200);

  await kitchen.expectIn(order, "cooking");
  await second.expectIn(order, "cooking");
  const [known] = await restaurant.staff.kitchenOrders();
  expect(known?.lines.map((line) => line.kitchenState)).toEqual(["cooking"]);
});

test("signing out in one tab ends the other", async ({ kitchen, restaurant, context, words, watch }) => {
  watch.allow(/status of 401/);
  const second = new KitchenPage(await context.newPage(), words);
  await second.page.goto(`${restaurant.url}/demo/kitchen`);
  await second.expectLive();
  expect(await kitchen.page.evaluate(async () => (await fetch("/api/auth/logout", { method: "POST" })).ok)).toBe(true);
  await expect(second.page).toHaveURL(/\/login/, { timeout: 20_000 });
});
