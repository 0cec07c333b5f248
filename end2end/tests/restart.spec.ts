import { expect, test } from "../support/story";

test("a server killed and started again in the middle loses nothing", async ({ kitchen, restaurant, watch }) => {
  test.setTimeout(120_000);
  watch.allowNetworkErrors();
  await kitchen.markDocument();
  const waits = await restaurant.fire(0);
  const cooks = await restaurant.fire(1);
  await restaurant.staff.advance(cooks, "cooking");
  await kitchen.expectIn(waits, "waiting");
  await kitchen.expectIn(cooks, "cooking");

  await restaurant.jumun.kill();
  await kitchen.expectOffline();
  await restaurant.jumun.startAgain();

  const after = await restaurant.fire(2);
  await kitchen.expectLive();
  await kitchen.expectBoard({ waiting: [waits, after], cooking: [cooks], cooked: [] });
  await kitchen.start(waits);
  await kitchen.expectIn(waits, "cooking");
  await kitchen.expectNotReloaded();
});

test("a server that is told to go drains its screens, and they come back to the next one", async ({ kitchen, restaurant, watch }) => {
  test.setTimeout(120_000);
  watch.allowNetworkErrors();
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  const start = Date.now();
  expect(await restaurant.jumun.terminate()).toBe(0);
  expect(Date.now() - start, "time to drain, ms").toBeLessThan(5_000);
  await restaurant.jumun.startAgain();
  const next = await restaurant.fire(1);
  await kitchen.expectLive();
  await kitchen.expectBoard({ waiting: [order, next], cooking: [], cooked: [] });
});
