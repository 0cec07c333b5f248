import { GuestPage } from "../pages/guest";
import { HallPage } from "../pages/hall";
import { expect, test } from "../support/story";

test("a party moves while its dishes cook: the kitchen re-cooks nothing, the phone follows", async ({ kitchen, stations, restaurant }) => {
  const [from, to] = [restaurant.table(0), restaurant.table(4)];
  const guest = new GuestPage(await stations.phone(from.code), "ko");
  await guest.expectLive();
  await guest.add(restaurant.dish(0));
  await guest.place();
  await expect(guest.orders).toHaveCount(1);
  const [order] = await restaurant.staff.hallOrders();
  if (order === undefined) throw new Error("nothing was ordered");
  await restaurant.staff.confirm(order);
  await kitchen.expectIn(order, "waiting");
  await kitchen.start(order);
  await kitchen.expectIn(order, "cooking");

  const hall = new HallPage(await stations.staff("hall", "hall"), "ko");
  await hall.expectLive();
  await hall.open(from.name);
  await hall.action(hall.words.transfer).click();
  await hall.tile(to.name).click();
  await hall.expectState(to.name, "cooking");
  await hall.expectState(from.name, "dirty");
  await kitchen.expectIn(order, "cooking");
  await expect(kitchen.ticket(order)).toContainText(to.name);
  await expect(kitchen.tickets).toHaveCount(1);
  await expect(guest.page.getByText(`${to.name} 테이블`)).toBeVisible();
  const [moved] = await restaurant.staff.kitchenOrders();
  expect(moved?.lines.map((line) => [line.id, line.kitchenState])).toEqual(order.lines.map((line) => [line.id, "cooking"]));

  await kitchen.ready(order);
  await guest.expectStep(order, "ready");
  await hall.serve(to.name);
  await guest.expectStep(order, "served");
});

test("tables are joined while they cook and part again", async ({ kitchen, stations, restaurant }) => {
  const [one, two] = [restaurant.table(1), restaurant.table(2)];
  const [first, second] = [await restaurant.fire(1), await restaurant.fire(2)];
  await kitchen.expectIn(first, "waiting");
  const hall = new HallPage(await stations.staff("hall", "hall"), "ko");
  await hall.expectLive();
  await hall.open(one.name);
  await hall.action(hall.words.join).click();
  await hall.tile(two.name).click();
  const label = `${one.name}+${two.name}`;
  await expect(hall.tile(label)).toContainText(hall.words.joined);
  for (const order of [first, second]) await expect(kitchen.ticket(order)).toContainText(label);
  await expect(kitchen.tickets).toHaveCount(2);

  await hall.close();
  await hall.open(label);
  await hall.action(hall.words.unjoin).click();
  await expect(hall.tile(two.name)).toBeVisible();
  await expect(kitchen.ticket(first)).toContainText(one.name);
  await expect(kitchen.ticket(second)).toContainText(two.name);
  await expect(kitchen.ticket(second)).not.toContainText(label);
});
