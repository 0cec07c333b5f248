import { CounterPage } from "../pages/counter";
import { GuestPage } from "../pages/guest";
import { HallPage } from "../pages/hall";
import { expect, test } from "../support/story";

test("the evening goes on when the server is killed and the network is cut in the middle", async ({ kitchen, stations, restaurant, watch }) => {
  test.setTimeout(180_000);
  watch.allowNetworkErrors();
  const table = restaurant.table(0);
  const guest = new GuestPage(await stations.phone(table.code), "ko");
  const counter = new CounterPage(await stations.staff("counter", "counter"), "ko");
  const hall = new HallPage(await stations.staff("hall", "hall"), "ko");
  await Promise.all([guest.expectLive(), counter.expectLive(), hall.expectLive()]);
  await guest.add(restaurant.dish(0));
  await guest.place();
  await expect(guest.orders).toHaveCount(1);
  const [order] = await restaurant.staff.hallOrders();
  if (order === undefined) throw new Error("nothing was ordered");

  // The server dies and comes back; what was shown is true again without a reload.
  await restaurant.jumun.kill();
  await expect(hall.pill).toContainText("끊김", { timeout: 30_000 });
  await restaurant.jumun.startAgain();
  await Promise.all([guest.expectLive(), counter.expectLive(), hall.expectLive(), kitchen.expectLive()]);
  await counter.confirm(order, "cash");
  await guest.expectStep(order, "paid");
  await kitchen.expectIn(order, "waiting");

  // The cable is cut while the kitchen cooks on: every screen catches up by itself.
  restaurant.cable.cutClosing();
  for (const to of ["cooking", "cooked"] as const) await restaurant.staff.advance(order, to);
  await expect(hall.pill).toContainText("끊김", { timeout: 30_000 });
  restaurant.cable.restore();
  await guest.expectStep(order, "ready");
  await hall.expectState(table.name, "ready");
  await kitchen.expectIn(order, "cooked");
  await hall.serve(table.name);
  await guest.expectStep(order, "served");
  expect(await restaurant.staff.kitchenOrders()).toEqual([]);
});
