import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { test } from "../support/story";
import type { Restaurant } from "../support/restaurant";

const FOLDER = resolve(import.meta.dirname, "../../screenshots");

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

for (const language of ["ko", "en"] as const) {
  for (const viewport of SIZES) {
    test.describe(() => {
      test.use({ language, viewport });
      const shoot = async (page: Page, name: string) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: resolve(FOLDER, `${name}-${language}-${viewport.width}.png`), animations: "disabled" });
      };

      test(`login, ${language}, ${viewport.width} px`, async ({ login, page, watch }) => {
        watch.allow(/status of 4/);
        await login.chooseLanguage();
        await login.open();
        await shoot(page, "login-store");
        await login.signIn("kitchen", "0000");
        await login.wrongPin.waitFor();
        await shoot(page, "login-wrong-pin");
      });

      test(`kitchen, ${language}, ${viewport.width} px`, async ({ kitchen, restaurant, page, watch }) => {
        test.setTimeout(180_000);
        watch.allowNetworkErrors();
        await shoot(page, "kitchen-0");
        await fiveOrders(restaurant);
        await kitchen.tickets.nth(4).waitFor({ state: "attached" });
        await shoot(page, "kitchen-5");
        await page.keyboard.press("a");
        await shoot(page, "kitchen-all-day");
        await page.keyboard.press("a");
        await page.keyboard.press("r");
        await kitchen.recallList.waitFor();
        await shoot(page, "kitchen-recall");
        await page.keyboard.press("Escape");
        await many(restaurant, 55);
        await kitchen.tickets.nth(59).waitFor({ state: "attached" });
        await shoot(page, "kitchen-60");
        restaurant.cable.cutClosing();
        await kitchen.expectOffline();
        await shoot(page, "kitchen-offline");
      });
    });
  }
}

/** Five tickets that together show what a ticket can show. */
async function fiveOrders(restaurant: Restaurant): Promise<void> {
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => restaurant.dish(index)) as [never, never, never, never];
  await restaurant.fire(0, [{ item: a, quantity: 2 }, { item: b, note: "덜 맵게, 두부 많이 주세요" }]);
  await restaurant.fire(1, [{ item: c }, { item: d, allergy: "땅콩" }], "아이 의자 하나 부탁드려요");
  const cooks = await restaurant.fire(2, [{ item: b, quantity: 3 }, { item: c }, { item: d }]);
  await restaurant.staff.advance(cooks, "cooking");
  const last = cooks.lines[2];
  if (last !== undefined) await restaurant.staff.voidLine(cooks, last, "guest changed their mind");
  const cooked = await restaurant.fire(3, [{ item: a }]);
  await restaurant.staff.advance(cooked, "cooking");
  await restaurant.staff.advance(cooked, "cooked");
  const takeout = await restaurant.staff.takeout([{ item: d, quantity: 2 }]);
  await restaurant.staff.confirm(takeout);
  const gone = await restaurant.fire(5, [{ item: a }]);
  await restaurant.staff.advance(gone, "cooking");
  await restaurant.staff.advance(gone, "cooked");
  await restaurant.staff.serve(gone);
}

async function many(restaurant: Restaurant, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const order = await restaurant.fire(round, [{ item: restaurant.dish(round) }, { item: restaurant.dish(round + 3), quantity: 1 + (round % 4) }]);
    if (round % 3 > 0) await restaurant.staff.advance(order, "cooking");
    if (round % 3 > 1) await restaurant.staff.advance(order, "cooked");
  }
}
