import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { Language } from "../pages/words";
import type { ConsoleWatch } from "./console";
import { PINS, type StaffName } from "./staff";

/** Where a screen stands, and how large it is. */
export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Devices of one restaurant, open at once: each has cookies and storage of its own. */
export class Stations {
  private readonly contexts: BrowserContext[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly url: string,
    private readonly language: Language,
    private readonly watch: ConsoleWatch,
  ) {}

  /** A device of the staff, signed in, on one of the store's screens: `hall`, `counter`, … */
  async staff(who: StaffName, screen: string, viewport = DESK): Promise<Page> {
    const context = await this.device(viewport);
    const data = { storeCode: "demo", staff: who, pin: PINS[who] };
    const answer = await context.request.post(`${this.url}/api/auth/login`, { data });
    if (!answer.ok()) throw new Error(`${who} cannot sign in: ${answer.status()}`);
    const page = await context.newPage();
    await page.goto(`${this.url}/demo/${screen}`);
    return page;
  }

  /** A guest's phone that has read the sticker on a table. */
  async phone(tableCode: string, viewport = PHONE): Promise<Page> {
    const context = await this.device(viewport);
    const page = await context.newPage();
    await page.goto(`${this.url}/t/${tableCode}`);
    return page;
  }

  async close(): Promise<void> {
    for (const context of this.contexts) await context.close();
  }

  private async device(viewport: { width: number; height: number }): Promise<BrowserContext> {
    const context = await this.browser.newContext({ viewport, locale: "ko-KR", timezoneId: "Asia/Seoul" });
    this.contexts.push(context);
    this.watch.follow(context);
    await context.addCookies([{ name: "jumun_language", value: this.language, url: this.url }]);
    await context.addInitScript((code) => {
      // An empty page has no storage.
      if (location.protocol.startsWith("http")) localStorage.setItem("jumun_language", code);
    }, this.language);
    return context;
  }
}
