import type { Locator, Page } from "@playwright/test";
import { PINS } from "../support/staff";
import { KitchenPage } from "../pages/kitchen";
import { expect, test } from "../support/story";

/** Presses Tab until the element has the focus, as someone without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not reach it");
}

test("a cook signs in by keyboard alone", async ({ login, page, words }) => {
  await login.chooseLanguage();
  await login.open();
  await expect(login.tile("kitchen")).toBeVisible();
  await tabTo(page, login.tile("kitchen"));
  await page.keyboard.press("Enter");
  await page.keyboard.type(PINS.kitchen);
  await page.keyboard.press("Enter");
  await new KitchenPage(page, words).expectLive();
});

test("a cook works the board by keyboard alone", async ({ kitchen, restaurant, page }) => {
  const first = await restaurant.fire(0);
  const second = await restaurant.fire(1);
  await kitchen.expectIn(second, "waiting");

  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await kitchen.expectIn(second, "cooking");
  await kitchen.expectIn(first, "waiting");

  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await kitchen.expectIn(first, "cooking");
  await page.keyboard.press("Backspace");
  await kitchen.expectIn(first, "waiting");
});

test("keys open and close the all-day panel and the recall list", async ({ kitchen, restaurant, page }) => {
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  const shown = await kitchen.allDay.isVisible();
  await page.keyboard.press("a");
  await expect(kitchen.allDay).toBeVisible({ visible: !shown });
  await page.keyboard.press("a");
  await expect(kitchen.allDay).toBeVisible({ visible: shown });

  await page.keyboard.press("r");
  await expect(kitchen.recallList).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(kitchen.recallList).toBeHidden();
});

test("the focus is always visible", async ({ kitchen, restaurant, page }) => {
  const order = await restaurant.fire(0);
  await kitchen.expectIn(order, "waiting");
  await tabTo(page, kitchen.button(order, kitchen.words.start));
  const ring = await kitchen.button(order, kitchen.words.start).evaluate((button) => {
    const style = getComputedStyle(button);
    return { width: Number.parseFloat(style.outlineWidth), style: style.outlineStyle };
  });
  expect(ring.style).not.toBe("none");
  expect(ring.width, "px").toBeGreaterThanOrEqual(4);
});
