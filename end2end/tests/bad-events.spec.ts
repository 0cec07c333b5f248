import type { Page } from "@playwright/test";
import { expect, test } from "../support/story";

/** Keeps every EventSource of the page, so that a story can deliver what a broken server would send. */
async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sources: EventSource[] = [];
    const Original = window.EventSource;
    class Kept extends Original {
      constructor(url: string | URL, init?: EventSourceInit) {
        super(url, init);
        sources.push(this);
      }
    }
    window.EventSource = Kept;
    Object.assign(window, { sources });
  });
}

async function deliver(page: Page, type: string, data: string): Promise<void> {
  await page.evaluate(
    ({ type, data }) => {
      const sources = (window as unknown as { sources: EventSource[] }).sources;
      sources.at(-1)?.dispatchEvent(new MessageEvent(type, { data }));
    },
    { type, data },
  );
}

const BAD: [string, string, string][] = [
  ["no JSON at all", "KITCHEN_COOK", "<html>"],
  ["an empty frame", "KITCHEN_COOK", ""],
  ["an unknown type", "KITCHEN_COOK", '{"type":"KITCHEN_DANCE","eventId":"00000000:1","payload":{}}'],
  ["a payload without fields", "KITCHEN_PROGRESS", '{"type":"KITCHEN_PROGRESS","eventId":"00000000:1","payload":{"id":7}}'],
  ["a state that is none", "ORDER_CHANGED", '{"type":"ORDER_CHANGED","eventId":"00000000:1","payload":{"lines":[{"kitchenState":"frozen","quantity":null}]}}'],
  ["a number of 300 digits", "STOCK_CHANGED", `{"type":"STOCK_CHANGED","eventId":"00000000:${"9".repeat(300)}","payload":{"available":${"9".repeat(300)}}}`],
  ["an id that is none", "KITCHEN_COOK", '{"type":"KITCHEN_COOK","eventId":"yesterday","payload":{}}'],
  ["a heartbeat without fields", "heartbeat", "{}"],
];

test("bad events never stop the screen", async ({ page, login, kitchen: _, restaurant, words }) => {
  const { KitchenPage } = await import("../pages/kitchen");
  await listenIn(page);
  await login.open("/demo/kitchen");
  const kitchen = new KitchenPage(page, words);
  await kitchen.expectLive();
  await kitchen.markDocument();
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");

  for (const [name, type, data] of BAD) {
    await test.step(name, () => deliver(page, type, data));
  }

  const next = await restaurant.fire(1);
  await kitchen.expectIn(next, "waiting");
  await kitchen.start(order);
  await kitchen.expectIn(order, "cooking");
  const clock = await kitchen.ticket(order).textContent();
  await expect.poll(() => kitchen.ticket(order).textContent(), { message: "the timer stands still" }).not.toBe(clock);
  await kitchen.expectNotReloaded();
});
