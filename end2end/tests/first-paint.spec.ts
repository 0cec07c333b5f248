import { expect, test } from "../support/story";

test("the kitchen paints and gets live soon", async ({ kitchen, restaurant, page, context }) => {
  for (let round = 0; round < 20; round += 1) await restaurant.fire(round);
  await kitchen.expectLive();
  await page.close();

  const fresh = await context.newPage();
  await fresh.addInitScript((live) => {
    const seen = () => {
      const pill = document.querySelector("[data-testid='pill']");
      if (!pill?.textContent?.includes(live)) return;
      Object.assign(window, { liveAt: performance.now() });
      observer.disconnect();
    };
    const observer = new MutationObserver(seen);
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  }, kitchen.words.live);
  await fresh.goto(`${restaurant.url}/demo/kitchen`);
  await fresh.waitForFunction(() => "liveAt" in window);
  const measured = await fresh.evaluate(() => ({
    firstPaintMs: Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN),
    liveMs: Math.round((window as unknown as { liveAt: number }).liveAt),
  }));
  console.log(`kitchen with 20 tickets: first paint ${measured.firstPaintMs} ms, live after ${measured.liveMs} ms`);
  test.info().annotations.push({ type: "first paint", description: JSON.stringify(measured) });
  expect(measured.firstPaintMs).toBeLessThan(3_000);
  expect(measured.liveMs).toBeLessThan(5_000);
});
