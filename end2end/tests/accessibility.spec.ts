import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/story";

/** The rules of WCAG 2.2 AA; findings of impact serious and critical. */
async function seriousFindings(page: Page): Promise<string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations
    .filter((found) => found.impact === "serious" || found.impact === "critical")
    .flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.html}: ${node.failureSummary}`));
}

for (const language of ["ko", "en"] as const) {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    test.describe(() => {
      test.use({ language, viewport });

      test(`axe finds nothing serious on the login, ${language}, ${viewport.width} px`, async ({ login, page }) => {
        await login.chooseLanguage();
        await login.open();
        expect(await seriousFindings(page)).toEqual([]);
        await login.chooseStore();
        await login.tile("kitchen").click();
        expect(await seriousFindings(page)).toEqual([]);
      });

      test(`axe finds nothing serious in the kitchen, ${language}, ${viewport.width} px`, async ({ kitchen, restaurant, page }) => {
        expect(await seriousFindings(page), "empty board").toEqual([]);
        const waits = await restaurant.fire(0, [{ item: restaurant.dish(0), note: "덜 맵게", allergy: "땅콩" }]);
        const cooks = await restaurant.fire(1);
        await restaurant.staff.advance(cooks, "cooking");
        const cooked = await restaurant.fire(2);
        await restaurant.staff.advance(cooked, "cooking");
        await restaurant.staff.advance(cooked, "cooked");
        await kitchen.expectIn(waits, "waiting");
        await kitchen.expectIn(cooked, "cooked");
        expect(await seriousFindings(page), "board").toEqual([]);
        await page.keyboard.press("r");
        await expect(kitchen.recallList).toBeVisible();
        expect(await seriousFindings(page), "recall list").toEqual([]);
        await page.keyboard.press("Escape");
        await page.keyboard.press("a");
        expect(await seriousFindings(page), "all-day").toEqual([]);
      });
    });
  }
}

test("tap targets are at least 48 px", async ({ kitchen, restaurant, page }) => {
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  const small = await page.getByRole("button").evaluateAll((buttons) =>
    buttons
      .map((button) => ({ name: button.getAttribute("aria-label") ?? button.textContent, box: button.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 48 || box.height < 47.5))
      .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
  );
  expect(small).toEqual([]);
});

test("nothing scrolls sideways from 320 px on", async ({ kitchen, restaurant, page }) => {
  const order = await restaurant.fire(0);
  for (const width of [320, 390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(kitchen.ticket(order)).toHaveCount(1);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
  }
});
