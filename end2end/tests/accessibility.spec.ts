import type { Page } from "@playwright/test";
import { GuestPage } from "../pages/guest";
import { HallPage } from "../pages/hall";
import { OrderEntry } from "../pages/order-entry";
import { seriousFindings } from "../support/axe";
import type { Restaurant } from "../support/restaurant";
import type { Stations } from "../support/stations";
import { expect, test } from "../support/story";

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

      test(`axe finds nothing serious in hall, order entry, counter and menu, ${language}, ${viewport.width} px`, async ({ stations, restaurant }) => {
        test.setTimeout(120_000);
        const hall = new HallPage(await stations.staff("owner", "hall", viewport), language);
        await hall.expectLive();
        expect(await seriousFindings(hall.page), "empty floor").toEqual([]);
        const cooked = await restaurant.fire(2);
        for (const to of ["cooking", "cooked"] as const) await restaurant.staff.advance(cooked, to);
        await restaurant.fire(1);
        await restaurant.place(3, [{ item: restaurant.dish(0), note: "덜 맵게", allergy: "땅콩" }]);
        await restaurant.staff.soldOut(restaurant.dish(1), true);
        await hall.expectState(restaurant.table(3).name, "awaiting-payment");
        expect(await seriousFindings(hall.page), "floor").toEqual([]);
        await hall.open(restaurant.table(3).name);
        expect(await seriousFindings(hall.page), "drawer").toEqual([]);
        await hall.action(hall.words.addOrder).click();
        const entry = new OrderEntry(hall.page, language);
        await expect(entry.view).toBeVisible();
        expect(await seriousFindings(hall.page), "order entry").toEqual([]);
        await entry.tile(restaurant.dish(0)).click();
        expect(await seriousFindings(hall.page), "options").toEqual([]);

        const counter = await stations.staff("owner", "counter", viewport);
        await counter.locator("[data-stage=waiting]").first().waitFor();
        expect(await seriousFindings(counter), "counter").toEqual([]);
        await counter.locator("[data-stage=waiting] .primary").first().click();
        expect(await seriousFindings(counter), "tenders").toEqual([]);

        const menu = await stations.staff("owner", "menu", viewport);
        await menu.getByTestId(`item-${restaurant.dish(1).id}`).waitFor();
        expect(await seriousFindings(menu), "menu").toEqual([]);
      });

      test(`axe finds nothing serious on a guest's page, ${language}, ${viewport.width} px`, async ({ stations, restaurant }) => {
        const guest = new GuestPage(await stations.phone(restaurant.table(0).code, viewport), language);
        await guest.expectLive();
        expect(await seriousFindings(guest.page), "menu").toEqual([]);
        await guest.add(restaurant.dish(0));
        await guest.openCart();
        expect(await seriousFindings(guest.page), "cart").toEqual([]);
        await guest.cart.getByRole("button", { name: guest.words.order, exact: true }).click();
        await expect(guest.orders).toHaveCount(1);
        expect(await seriousFindings(guest.page), "ordered").toEqual([]);
        await guest.page.getByRole("button", { name: guest.words.call, exact: true }).click();
        expect(await seriousFindings(guest.page), "calls").toEqual([]);
      });
    });
  }
}

async function small(page: Page): Promise<string[]> {
  return page.locator("button, a[href], summary").evaluateAll((targets) =>
    targets
      .map((target) => ({ name: target.getAttribute("aria-label") ?? target.textContent, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 47.5 || box.height < 47.5))
      .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
  );
}

async function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Every screen, with something on it. */
async function screens(stations: Stations, restaurant: Restaurant): Promise<[string, Page][]> {
  const kitchen = await restaurant.fire(0);
  await restaurant.place(1);
  const cooked = await restaurant.fire(2);
  for (const to of ["cooking", "cooked"] as const) await restaurant.staff.advance(cooked, to);
  const pages: [string, Page][] = [];
  for (const screen of ["kitchen", "hall", "counter", "menu"]) pages.push([screen, await stations.staff("owner", screen)]);
  pages.push(["guest", await stations.phone(restaurant.table(0).code)]);
  for (const [, page] of pages) await expect(page.getByTestId("pill")).toContainText("실시간", { timeout: 20_000 });
  await expect(pages[0]![1].getByTestId(`ticket-${kitchen.id}`)).toBeVisible();
  return pages;
}

test("tap targets are at least 48 px on every screen", async ({ stations, restaurant }) => {
  for (const [name, page] of await screens(stations, restaurant)) expect(await small(page), name).toEqual([]);
});

test("nothing scrolls sideways from 320 px on, on any screen", async ({ stations, restaurant }) => {
  for (const [name, page] of await screens(stations, restaurant)) {
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sideways(page), `${name}, ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});
