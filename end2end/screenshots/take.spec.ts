import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { CounterPage } from "../pages/counter";
import { GuestPage } from "../pages/guest";
import { HallPage } from "../pages/hall";
import { MenuPage } from "../pages/menu";
import { OrderEntry } from "../pages/order-entry";
import type { Language } from "../pages/words";
import type { Restaurant } from "../support/restaurant";
import type { Stations } from "../support/stations";
import { test } from "../support/story";

const FOLDER = resolve(import.meta.dirname, "../../screenshots");

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** How many orders the house has in each round of pictures. */
const ROUNDS = [0, 5, 60] as const;

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
        await login.open();
        await login.signIn("owner");
        await page.waitForURL(/\/(\?.*)?$/);
        await page.waitForTimeout(1_500);
        await shoot(page, "home");
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

      test(`stock, ${language}, ${viewport.width} px`, async ({ stations, restaurant, watch }) => {
        test.setTimeout(180_000);
        watch.allow(/status of 409/);
        const [dish, other] = [restaurant.counts(0), restaurant.counts(1)];
        const manager = new MenuPage(await stations.staff("manager", "menu", viewport), language);
        await manager.openStock();
        await shoot(manager.page, "stock-0");
        await restaurant.staff.count(dish, 6);
        await restaurant.staff.count(other, 0);
        const held = await restaurant.place(0, [{ item: dish, quantity: 2 }, { item: restaurant.dish(1) }]);
        const lost = await restaurant.place(1, [{ item: dish }, { item: restaurant.dish(0), quantity: 2 }]);
        const taken = await restaurant.place(3, [{ item: dish, quantity: 2 }]);
        for (const order of [lost, taken]) await restaurant.staff.release(order.rid ?? "");
        await restaurant.staff.hold(dish, 1);
        const guest = new GuestPage(await stations.phone(restaurant.table(2).code, viewport), language);
        await guest.expectLive();
        await guest.dish(dish).scrollIntoViewIfNeeded();
        await shoot(guest.page, "guest-low");
        for (let at = 0; at < 3; at += 1) await guest.add(dish);
        await guest.page.getByRole("button", { name: guest.words.choose(guest.name(dish)), exact: true }).click();
        await shoot(guest.page, "guest-no-more");
        await guest.page.keyboard.press("Escape");
        await restaurant.staff.hold(dish, 2);
        await guest.gone.waitFor();
        await shoot(guest.page, "guest-gone");
        const hall = new HallPage(await stations.staff("hall", "hall", viewport), language);
        await hall.expectLive();
        await hall.open(restaurant.table(1).name);
        await hall.action(hall.words.addOrder).click();
        await new OrderEntry(hall.page, language).view.waitFor();
        await shoot(hall.page, "order-entry-low");
        await restaurant.staff.hold(dish, 1);
        const counter = new CounterPage(await stations.staff("counter", "counter", viewport), language);
        await counter.expectLive();
        await counter.hold(held).waitFor();
        await shoot(counter.page, "counter-holds");
        await counter.askForTender(taken);
        await shoot(counter.page, "counter-lost");
        await counter.tenders.getByRole("button", { name: counter.words.tenders.card }).click();
        await counter.unsold.waitFor();
        await shoot(counter.page, "counter-unsold");
        await counter.unsold.getByRole("button", { name: counter.words.taken }).click();
        await counter.page.waitForTimeout(500);
        await manager.page.getByRole("button", { name: manager.words.menu, exact: true }).click();
        await shoot(manager.page, "menu-counted");
        await manager.openStock();
        await manager.page.getByTestId("refunds").waitFor();
        await shoot(manager.page, "stock");
        await manager.stock(dish).getByRole("button", { name: manager.words.adjust }).click();
        await manager.adjusting.getByLabel(manager.words.counted).fill("12");
        await shoot(manager.page, "stock-adjust");
        await manager.adjusting.getByRole("button", { name: manager.words.release }).first().click();
        await shoot(manager.page, "stock-break");
      });

      test(`hall, counter, menu, guest, ${language}, ${viewport.width} px`, async ({ stations, restaurant, watch }) => {
        test.setTimeout(420_000);
        watch.allow(/status of 4/);
        const hall = new HallPage(await stations.staff("hall", "hall", viewport), language);
        const counter = await stations.staff("counter", "counter", viewport);
        const menu = await stations.staff("manager", "menu", viewport);
        await hall.expectLive();
        for (const round of ROUNDS) {
          if (round === 5) await fiveOrders(restaurant);
          if (round === 60) await many(restaurant, 55);
          if (round > 0) await unpaid(restaurant, round);
          await hall.page.waitForTimeout(1_500);
          await shoot(hall.page, `hall-${round}`);
          await shoot(counter, `counter-${round}`);
          await shoot(menu, `menu-${round}`);
          await guests(stations, restaurant, language, viewport, round, shoot);
        }
        await hallSheets(hall, restaurant, language, shoot);
        await counterSheets(counter, shoot);
      });
    });
  }
}

type Shoot = (page: Page, name: string) => Promise<void>;

/** Orders that wait for their payment. */
async function unpaid(restaurant: Restaurant, round: number): Promise<void> {
  const count = round === 5 ? 3 : 12;
  for (let at = 0; at < count; at += 1) await restaurant.place(at + 6, [{ item: restaurant.dish(at), quantity: 1 + (at % 3) }, { item: restaurant.dish(at + 2) }]);
}

/** A phone of a table with nothing, with a few orders, with many. */
async function guests(stations: Stations, restaurant: Restaurant, language: Language, viewport: { width: number; height: number }, round: number, shoot: Shoot): Promise<void> {
  const guest = new GuestPage(await stations.phone(restaurant.table(round === 0 ? 11 : 2).code, viewport), language);
  await guest.expectLive();
  await shoot(guest.page, `guest-${round}`);
  if (round !== 5) return;
  await guest.add(restaurant.dish(0));
  await guest.add(restaurant.dish(1));
  await shoot(guest.page, "guest-cart-bar");
  await guest.openCart();
  await shoot(guest.page, "guest-cart");
  await guest.cart.getByRole("button", { name: guest.words.order, exact: true }).click();
  await guest.cart.waitFor({ state: "hidden" });
  await guest.call("water");
  await guest.page.getByRole("button", { name: guest.words.call, exact: true }).click();
  await shoot(guest.page, "guest-calls");
  await guest.page.keyboard.press("Escape");
  await guest.page.getByRole("button", { name: guest.words.choose(guest.name(restaurant.dish(0))), exact: true }).click();
  await shoot(guest.page, "guest-options");
  await guest.page.keyboard.press("Escape");
  await guest.page.evaluate(() => scrollTo(0, 0));
  await shoot(guest.page, "guest-ordered");
}

async function hallSheets(hall: HallPage, restaurant: Restaurant, language: Language, shoot: Shoot): Promise<void> {
  await hall.open(restaurant.table(2).name);
  await shoot(hall.page, "hall-drawer");
  await hall.action(hall.words.addOrder).click();
  const entry = new OrderEntry(hall.page, language);
  await entry.view.waitFor();
  await shoot(hall.page, "order-entry");
  await entry.add(restaurant.dish(0));
  await entry.add(restaurant.dish(1));
  await entry.view.getByRole("searchbox").fill("");
  const bar = entry.view.locator(".cart-bar");
  if (await bar.isVisible()) await bar.click();
  await shoot(hall.page, "order-entry-cart");
  await hall.page.keyboard.press("Escape");
  await hall.open(restaurant.table(2).name);
  await hall.action(hall.words.transfer).click();
  await shoot(hall.page, "hall-transfer");
}

async function counterSheets(counter: Page, shoot: Shoot): Promise<void> {
  const first = counter.locator("[data-stage=waiting]").first();
  await first.locator(".primary").click();
  await shoot(counter, "counter-tenders");
  await counter.getByTestId("tenders").locator("button.tender").nth(1).click();
  await counter.waitForTimeout(1_500);
  await shoot(counter, "counter-paid");
  await counter.locator("[data-stage=waiting]").first().locator(".acts .ghost").click();
  await shoot(counter, "counter-reject");
  await counter.keyboard.press("Escape");
  await counter.locator(".sales").click();
  await shoot(counter, "counter-report");
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
