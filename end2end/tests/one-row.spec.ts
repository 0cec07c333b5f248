import type { Page } from "@playwright/test";
import { HallPage } from "../pages/hall";
import { expect, test } from "../support/story";

/**
 * Watches a list: which of its rows the page touches from here on. Clocks tick in every row; what
 * they write is left out.
 */
async function watchRows(page: Page, list: string, row: string): Promise<void> {
  await page.locator(list).first().waitFor();
  await page.evaluate(
    ([list, row]) => {
      const touched = new Set<unknown>();
      const clock = /^\D*\d+:\d\d\D*$/;
      const isClock = (change: MutationRecord) => {
        if (change.type === "attributes") return false;
        const texts = change.type === "characterData" ? [change.target] : [...change.addedNodes, ...change.removedNodes];
        return texts.length > 0 && texts.every((one) => one.nodeType === Node.COMMENT_NODE || clock.test(one.textContent ?? ""));
      };
      const observer = new MutationObserver((changes) => {
        for (const change of changes.filter((change) => !isClock(change))) {
          const element = change.target instanceof Element ? change.target : change.target.parentElement;
          const found = element?.closest(row!);
          // A card that moves to another column is made anew there.
          if (found) touched.add(found.getAttribute("data-testid") ?? found);
        }
      });
      for (const one of document.querySelectorAll(list!)) observer.observe(one, { childList: true, characterData: true, attributes: true, subtree: true });
      Object.assign(window, { touchedRows: () => touched.size });
    },
    [list, row],
  );
}

async function touched(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { touchedRows: () => number }).touchedRows());
}

test("one event renders one card of a full kitchen", async ({ kitchen, restaurant, page }) => {
  const orders = [];
  for (let at = 0; at < 15; at += 1) orders.push(await restaurant.fire(at, [{ item: restaurant.dish(at) }, { item: restaurant.dish(at + 1) }]));
  await expect(kitchen.tickets).toHaveCount(15);
  const order = orders[7]!;
  await watchRows(page, ".board", "[data-testid^=ticket-]");
  // One line of one ticket: the card moves to the next column, no other one is touched.
  await restaurant.staff.advance(order, "cooking", [order.lines[0]!.id]);
  await kitchen.expectIn(order, "cooking");
  await restaurant.staff.advance(order, "cooked", [order.lines[0]!.id]);
  await expect(kitchen.ticket(order).locator("[data-state=cooked]")).toHaveCount(1);
  expect(await touched(page)).toBe(1);
});

test("one event renders one table of the floor and one payment of the counter", async ({ stations, restaurant }) => {
  const hall = new HallPage(await stations.staff("hall", "hall"), "ko");
  const counter = await stations.staff("counter", "counter");
  await hall.expectLive();
  const orders = [];
  for (let at = 0; at < 6; at += 1) orders.push(await restaurant.place(at));
  await expect(counter.locator("[data-stage=waiting]")).toHaveCount(6);
  await hall.expectState(restaurant.table(5).name, "awaiting-payment");
  await watchRows(hall.page, ".hall-main", ".tile");
  await watchRows(counter, ".pays", ".pay");
  await restaurant.staff.confirm(orders[3]!);
  await hall.expectState(restaurant.table(3).name, "cooking");
  await expect(counter.getByTestId(`pay-${orders[3]!.id}`)).toHaveAttribute("data-stage", "paid");
  expect(await touched(hall.page), "tables").toBe(1);
  expect(await touched(counter), "payments").toBe(1);
});
