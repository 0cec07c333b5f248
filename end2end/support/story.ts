import { test as base, expect } from "@playwright/test";
import { KitchenPage } from "../pages/kitchen";
import { LoginPage } from "../pages/login";
import { type Language, WORDS, type Words } from "../pages/words";
import { ConsoleWatch } from "./console";
import { Restaurant } from "./restaurant";
import { Stations } from "./stations";

interface Settings {
  /** How often the server proves itself, in milliseconds. */
  heartbeatMs: number;
  /** The language chosen on the device. */
  language: Language;
}

interface Fixtures {
  watch: ConsoleWatch;
  restaurant: Restaurant;
  /** Devices of the restaurant beside the one under test. */
  stations: Stations;
  words: Words;
  login: LoginPage;
  /** The kitchen screen: signed in, loaded, live. */
  kitchen: KitchenPage;
}

/** A story has a restaurant of its own, and no error on any console. */
export const test = base.extend<Settings & Fixtures>({
  heartbeatMs: [1_000, { option: true }],
  language: ["ko", { option: true }],
  watch: [
    async ({ context }, use) => {
      const watch = new ConsoleWatch(context);
      await use(watch);
      expect(watch.unexpected(), "errors on the console").toEqual([]);
    },
    { auto: true },
  ],
  restaurant: async ({ heartbeatMs, watch }, use, info) => {
    const restaurant = await Restaurant.open(heartbeatMs);
    await use(restaurant);
    watch.close();
    if (info.status !== info.expectedStatus) {
      await info.attach("server", { body: restaurant.jumun.output(), contentType: "text/plain" });
    }
    await restaurant.close();
  },
  stations: async ({ browser, restaurant, language, watch }, use) => {
    const stations = new Stations(browser, restaurant.url, language, watch);
    await use(stations);
    watch.close();
    await stations.close();
  },
  words: async ({ language }, use) => {
    await use(WORDS[language]);
  },
  login: async ({ page, restaurant, language }, use) => {
    await use(new LoginPage(page, restaurant.url, language));
  },
  kitchen: async ({ login, page, words }, use) => {
    await login.chooseLanguage();
    await login.open();
    await login.signIn("kitchen");
    const kitchen = new KitchenPage(page, words);
    await kitchen.expectLive();
    await use(kitchen);
  },
});

export { expect };
