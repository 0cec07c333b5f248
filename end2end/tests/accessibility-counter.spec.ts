import type { Page } from "@playwright/test";
import { CounterPage } from "../pages/counter";
import { GuestPage } from "../pages/guest";
import { MenuPage } from "../pages/menu";
import { seriousFindings } from "../support/axe";
import { expect, test } from "../support/story";

/** Buttons and links that a wet finger would miss. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.locator("button:visible, a:visible").evaluateAll((targets) =>
    targets
      .map((target) => ({ name: target.getAttribute("aria-label") ?? target.textContent, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 48 || box.height < 47.5)
      .map(({ name, box }) => `${name} ${box.width}×${box.height}`),
  );
}

for (const [language, colorScheme] of [["ko", "light"], ["en", "dark"]] as const) {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    test.describe(() => {
      test.use({ language, viewport, colorScheme });
      const where = `${language}, ${colorScheme}, ${viewport.width} px`;

      test(`axe finds nothing serious at the counter, ${where}`, async ({ login, restaurant, page }) => {
        const counter = await CounterPage.open(login);
        expect(await seriousFindings(page), "empty").toEqual([]);
        const [paid, waits] = [await restaurant.place(0), await restaurant.place(1)];
        await counter.confirm(paid, "card");
        await expect(counter.delivery(paid)).toHaveAttribute("data-delivery", "missing");
        expect(await seriousFindings(page), "queue").toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
        await counter.askForTender(waits);
        expect(await seriousFindings(page), "tenders").toEqual([]);
        await page.keyboard.press("Escape");
        await counter.askForReason(waits);
        expect(await seriousFindings(page), "reasons").toEqual([]);
        await page.keyboard.press("Escape");
        await counter.sales.click();
        expect(await seriousFindings(page), "report").toEqual([]);
      });

      test(`axe finds nothing serious where stock runs out, ${where}`, async ({ login, restaurant, page, stations, watch }) => {
        watch.allow(/status of 409/);
        const dish = restaurant.counts(0);
        await restaurant.staff.count(dish, 3);
        const held = await restaurant.place(0, [{ item: dish }]);
        const lost = await restaurant.place(1, [{ item: dish }]);
        await restaurant.staff.release(lost.rid ?? "");
        await restaurant.staff.hold(dish, 2);
        const guest = new GuestPage(await stations.phone(restaurant.table(2).code), language);
        await guest.expectLive();
        expect(await seriousFindings(guest.page), "guest").toEqual([]);
        const counter = await CounterPage.open(login);
        await expect(counter.hold(held)).toHaveText(counter.words.held);
        await expect(counter.hold(lost)).toHaveText(counter.words.lost);
        expect(await seriousFindings(page), "queue").toEqual([]);
        await counter.askForTender(lost);
        expect(await seriousFindings(page), "tenders").toEqual([]);
        await counter.tenders.getByRole("button", { name: counter.words.tenders.cash }).click();
        await expect(counter.unsold).toBeVisible();
        expect(await seriousFindings(page), "unsold").toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
        await counter.unsold.getByRole("button", { name: counter.words.taken }).click();
        await expect.poll(async () => (await restaurant.staff.refundsDue()).length).toBe(1);

        const menu = new MenuPage(await stations.staff("manager", "menu", viewport), language);
        await menu.item(dish).getByRole("button", { name: menu.words.adjust }).waitFor();
        expect(await seriousFindings(menu.page), "menu").toEqual([]);
        await menu.openStock();
        await expect(menu.holds).toHaveCount(2);
        expect(await seriousFindings(menu.page), "stock").toEqual([]);
        expect(await smallTargets(menu.page)).toEqual([]);
        await menu.stock(dish).getByRole("button", { name: menu.words.adjust }).click();
        await menu.adjusting.getByLabel(menu.words.counted).fill("2");
        expect(await seriousFindings(menu.page), "adjust").toEqual([]);
        expect(await smallTargets(menu.page)).toEqual([]);
        await menu.adjusting.getByRole("button", { name: menu.words.release }).first().click();
        expect(await seriousFindings(menu.page), "break").toEqual([]);
      });

      test(`axe finds nothing serious on the menu and the home page, ${where}`, async ({ login, restaurant, page }) => {
        const menu = await MenuPage.open(login);
        const dish = restaurant.dish(0);
        await menu.soldOut(dish).click();
        await menu.openOptions(dish);
        expect(await seriousFindings(page), "menu").toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
        await login.open();
        await login.signIn("owner");
        await expect(page.getByRole("navigation")).toBeVisible();
        expect(await seriousFindings(page), "home").toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
      });
    });
  }
}
