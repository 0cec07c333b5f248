import { type Locator, type Page, expect } from "@playwright/test";
import type { MenuItem, StaffName } from "../support/staff";
import type { LoginPage } from "./login";
import type { Language } from "./words";

/** What the menu screen says, as far as stories read it. */
export const MENU_WORDS = {
  ko: { soldOut: "품절", search: "메뉴 이름이나 번호", onlySoldOut: "품절만", nothingFound: "찾는 메뉴가 없습니다", options: /^옵션/, menu: "메뉴", stock: "재고", adjust: /^수량 조정/, counted: "지금 있는 수량", save: "저장", delivery: "입고", release: /^예약 풀기/, settle: /^돌려줌/, recounted: "그사이 수량이 바뀌었습니다", belowHeld: /예약되어 있어/ },
  en: { soldOut: "Sold out", search: "Name or number", onlySoldOut: "Only sold out", nothingFound: "Nothing fits", options: /options/, menu: "Menu", stock: "Stock", adjust: /^Count/, counted: "How many are there", save: "Save", delivery: "Delivery", release: /^Break/, settle: /^Given back/, recounted: "The count has changed", belowHeld: /are held, so/ },
} as const;

/** `/{store}/menu`: what can be ordered, and what is sold out. */
export class MenuPage {
  readonly words: (typeof MENU_WORDS)[Language];

  constructor(
    readonly page: Page,
    readonly language: Language,
  ) {
    this.words = MENU_WORDS[language];
  }

  /** Signed in, loaded, live. */
  static async open(login: LoginPage, who: StaffName = "hall"): Promise<MenuPage> {
    await login.chooseLanguage();
    await login.open("/login?store=demo&next=/demo/menu");
    await login.signIn(who);
    const menu = new MenuPage(login.page, login.language);
    await expect(menu.page.getByTestId("pill")).toHaveAttribute("data-state", "live", { timeout: 20_000 });
    return menu;
  }

  get items(): Locator {
    return this.page.locator("[data-testid^='item-']");
  }

  /** 재고 instead of the menu. */
  async openStock(): Promise<Locator> {
    await this.page.getByRole("button", { name: this.words.stock, exact: true }).click();
    const view = this.page.getByTestId("stock");
    await expect(view).toBeVisible();
    return view;
  }

  /** The stock row of an item. */
  stock(item: MenuItem): Locator {
    return this.page.getByTestId(`stock-${item.stockId}`);
  }

  /** Open holds. */
  get holds(): Locator {
    return this.page.getByTestId("stock").getByTestId("hold");
  }

  get adjusting(): Locator {
    return this.page.getByTestId("adjust");
  }

  /** Available, on hand, held. */
  async expectCounts(item: MenuItem, counts: [number, number, number]): Promise<void> {
    await expect(this.stock(item).locator("dd")).toHaveText(counts.map(String));
  }

  item(item: MenuItem): Locator {
    return this.page.getByTestId(`item-${item.id}`);
  }

  name(item: MenuItem): string {
    return item.name[this.language] ?? "";
  }

  /** The 품절 switch of an item. */
  soldOut(item: MenuItem): Locator {
    return this.item(item).getByRole("button", { name: `${this.words.soldOut} · ${this.name(item)}`, exact: true });
  }

  async openOptions(item: MenuItem): Promise<void> {
    await this.item(item).getByRole("button", { name: this.words.options }).click();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("textbox", { name: this.words.search }).fill(text);
  }

  async onlySoldOut(): Promise<void> {
    await this.page.getByRole("button", { name: this.words.onlySoldOut, exact: true }).click();
  }

  async expectSoldOut(item: MenuItem, soldOut: boolean): Promise<void> {
    await expect(this.soldOut(item)).toHaveAttribute("aria-pressed", String(soldOut));
  }
}
