import { test } from "../support/story";

for (const way of ["closing", "silent"] as const) {
  test(`a cable cut ${way} in the middle loses nothing`, async ({ kitchen, restaurant, watch }) => {
    test.setTimeout(120_000);
    watch.allowNetworkErrors();
    await kitchen.markDocument();
    const before = [await restaurant.fire(0), await restaurant.fire(1), await restaurant.fire(2)] as const;
    for (const order of before) await kitchen.expectIn(order, "waiting");

    if (way === "closing") restaurant.cable.cutClosing();
    else restaurant.cable.cutSilent();
    await restaurant.staff.advance(before[0], "cooking");
    await restaurant.staff.advance(before[1], "cooking");
    await restaurant.staff.advance(before[1], "cooked");
    await restaurant.staff.serve(before[1]);
    const during = await restaurant.fire(3);
    await kitchen.expectOffline();
    await kitchen.expectIn(before[0], "waiting");

    restaurant.cable.restore();
    await kitchen.expectLive();
    await kitchen.expectBoard({ waiting: [before[2], during], cooking: [before[0]], cooked: [] });

    const after = await restaurant.fire(4);
    await kitchen.expectIn(after, "waiting");
    await kitchen.expectNotReloaded();
  });
}

test("more events than a stream replays arrive by a reload of the state", async ({ kitchen, restaurant, watch }) => {
  test.setTimeout(180_000);
  watch.allowNetworkErrors();
  const first = await restaurant.fire(0);
  await kitchen.expectIn(first, "waiting");
  restaurant.cable.cutClosing();
  const shown = [];
  for (let round = 0; round < 120; round += 1) {
    const order = await restaurant.fire(round);
    await restaurant.staff.advance(order, "cooking");
    if (round < 110) {
      await restaurant.staff.advance(order, "cooked");
      await restaurant.staff.serve(order);
    } else {
      shown.push(order);
    }
  }
  restaurant.cable.restore();
  await kitchen.expectLive();
  await kitchen.expectBoard({ waiting: [first], cooking: shown, cooked: [] });
});

test("a press while the cable is cut is put back and told in words", async ({ kitchen, restaurant, watch }) => {
  watch.allowNetworkErrors();
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  restaurant.cable.cutClosing();
  await kitchen.start(order);
  await kitchen.page.getByText("서버에 닿지 않습니다").first().waitFor();
  await kitchen.expectIn(order, "waiting");
  restaurant.cable.restore();
  await kitchen.expectLive();
  await kitchen.start(order);
  await kitchen.expectIn(order, "cooking");
});
