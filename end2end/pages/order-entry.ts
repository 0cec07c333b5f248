import { type Locator, type Page, expect } from "@playwright/test";
import type { Text } from "../support/staff";
import type { Language } from "./words";

const WORDS = {
  ko: { add: /^담기/, send: "주문 넣기", back: "돌아가기", note: "주문 메모", gone: "되는 만큼만 담기", soldOut: "품절", search: "메뉴 찾기", left: (left: number) => `${left}개 남음`, noMore: "남은 수량을 모두 담았습니다.", more: "하나 더" },
  en: { add: /^Add/, send: "Place order", back: "Back", note: "Order note", gone: "Keep what can be ordered", soldOut: "Sold out", search: "Find a dish", left: (left: number) => `${left} left`, noMore: "All that is left is in the cart.", more: "One more" },
};

/** Order entry over the hall or the counter: tiles of the menu, options, the cart. */
export class OrderEntry {
  readonly words: (typeof WORDS)["ko"];

  constructor(
    readonly page: Page,
    readonly language: Language,
  ) {
    this.words = WORDS[language];
  }

  get view(): Locator {
    return this.page.getByTestId("order-entry");
  }

  get sheet(): Locator {
    return this.page.getByTestId("option-sheet");
  }

  get places(): Locator {
    return this.page.getByTestId("places");
  }

  get gone(): Locator {
    return this.page.getByTestId("gone");
  }

  tile(dish: { name: Text }): Locator {
    const name = dish.name[this.language] ?? dish.name.ko ?? "";
    return this.view.locator(".dish-tile").filter({ has: this.page.getByText(name, { exact: true }) });
  }

  line(dish: { name: Text }): Locator {
    const name = dish.name[this.language] ?? dish.name.ko ?? "";
    return this.view.locator(".cart-line").filter({ has: this.page.getByText(name, { exact: true }) });
  }

  /** Finds a dish by its name, taps it, and takes the first choice of what has to be chosen. */
  async add(dish: { name: Text; optionGroups: { min: number }[] }): Promise<void> {
    await this.view.getByRole("searchbox").fill(dish.name[this.language] ?? dish.name.ko ?? "");
    await this.tile(dish).click();
    if (dish.optionGroups.length > 0) {
      for (const [at, group] of dish.optionGroups.entries()) {
        if (group.min > 0) await this.sheet.locator("fieldset").nth(at).locator("input:enabled").first().check();
      }
      await this.sheet.getByRole("button", { name: this.words.add }).click();
      await expect(this.sheet).toBeHidden();
    }
  }

  async send(): Promise<void> {
    await this.view.getByRole("button", { name: this.words.send, exact: true }).click();
  }
}
