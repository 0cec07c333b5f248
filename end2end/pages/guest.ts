import { type Locator, type Page, expect } from "@playwright/test";
import type { Order, Text } from "../support/staff";
import type { Language } from "./words";

const WORDS = {
  ko: {
    choose: (name: string) => `${name} 담기`,
    add: /^담기/,
    order: "주문하기",
    again: "다시 시도",
    call: "호출",
    reasons: { staff: /^직원 호출/, water: /^물/, sidePlate: /^앞접시/, bill: /^계산서/ },
    called: "요청했어요",
    accepted: "직원이 확인했어요",
    steps: ["주문 접수", "결제 확인", "조리 중", "조리 완료", "서빙 완료"],
    live: "실시간",
    offline: "끊김",
    seen: "확인",
    farewell: "이용해 주셔서 감사합니다",
    join: "새로 주문하기",
    askStaff: "직원에게 문의해 주세요",
    noTable: "테이블을 찾을 수 없습니다",
    rejected: /주문이 거절되었습니다 · /,
    soldOut: "품절",
    left: (left: number) => `${left}개 남음`,
  },
  en: {
    choose: (name: string) => `Add ${name}`,
    add: /^Add/,
    order: "Place order",
    again: "Try again",
    call: "Call",
    reasons: { staff: /^Call staff/, water: /^Water/, sidePlate: /^Side plates/, bill: /^The bill/ },
    called: "Asked for",
    accepted: "Staff has seen it",
    steps: ["Received", "Paid", "Cooking", "Ready", "Served"],
    live: "Live",
    offline: "Offline",
    seen: "OK",
    farewell: "Thank you for your visit",
    join: "Start a new order",
    askStaff: "Please ask our staff",
    noTable: "There is no such table",
    rejected: /The order was declined · /,
    soldOut: "Sold out",
    left: (left: number) => `${left} left`,
  },
};

export type Step = "received" | "paid" | "cooking" | "ready" | "served";
const STEPS: Step[] = ["received", "paid", "cooking", "ready", "served"];

interface Dish {
  name: Text;
  optionGroups: { min: number }[];
}

/** `/t/{tableCode}`: the menu on a guest's phone, the cart, the orders of the table, calls. */
export class GuestPage {
  readonly words: (typeof WORDS)["ko"];

  constructor(
    readonly page: Page,
    readonly language: Language,
  ) {
    this.words = WORDS[language];
  }

  get sheet(): Locator {
    return this.page.getByTestId("option-sheet");
  }

  get cart(): Locator {
    return this.page.getByTestId("cart");
  }

  get cartBar(): Locator {
    return this.page.getByTestId("cart-bar");
  }

  get gone(): Locator {
    return this.page.getByTestId("gone");
  }

  get orders(): Locator {
    return this.page.locator(".order-card");
  }

  /** What all orders of the table cost. */
  get sum(): Locator {
    return this.page.locator(".orders-sum b");
  }

  /** What is said when the party has left. */
  get farewell(): Locator {
    return this.page.getByRole("heading", { name: this.words.farewell });
  }

  /** Sits down anew, below the farewell. */
  get join(): Locator {
    return this.page.getByRole("button", { name: this.words.join });
  }

  get openCalls(): Locator {
    return this.page.locator(".open-call");
  }

  name(dish: Dish): string {
    return dish.name[this.language] ?? dish.name.ko ?? "";
  }

  dish(dish: Dish): Locator {
    return this.page.locator(".dish").filter({ has: this.page.getByRole("heading", { name: this.name(dish), exact: true }) });
  }

  order(order: Order): Locator {
    return this.page.getByTestId(`order-${order.id}`);
  }

  line(dish: Dish): Locator {
    return this.cart.locator(".cart-line").filter({ has: this.page.getByText(this.name(dish), { exact: true }) });
  }

  async expectLive(): Promise<void> {
    await expect(this.page.getByTestId("pill")).toContainText(this.words.live, { timeout: 20_000 });
  }

  /** Puts one into the cart, with the first choice of what has to be chosen. */
  async add(dish: Dish): Promise<void> {
    await this.page.getByRole("button", { name: this.words.choose(this.name(dish)), exact: true }).click();
    for (const [at, group] of dish.optionGroups.entries()) {
      if (group.min > 0) await this.sheet.locator("fieldset").nth(at).locator("input:enabled").first().check();
    }
    await this.sheet.getByRole("button", { name: this.words.add }).click();
    await expect(this.sheet).toBeHidden();
  }

  /** What this phone shows to the server. */
  async token(tableCode: string): Promise<string> {
    const kept = await this.page.evaluate((name) => localStorage.getItem(name), `jumun_guest:${tableCode}`);
    return JSON.parse(kept ?? "{}").token ?? "";
  }

  async openCart(): Promise<void> {
    await this.cartBar.click();
    await expect(this.cart).toBeVisible();
  }

  async place(): Promise<void> {
    await this.openCart();
    await this.cart.getByRole("button", { name: this.words.order, exact: true }).click();
  }

  async call(reason: "staff" | "water" | "sidePlate" | "bill"): Promise<void> {
    await this.page.getByRole("button", { name: this.words.call, exact: true }).click();
    await this.page.getByTestId("calls").getByRole("button", { name: this.words.reasons[reason] }).click();
    await this.page.keyboard.press("Escape");
  }

  /** The order has come so far, and no farther. */
  async expectStep(order: Order, step: Step): Promise<void> {
    const reached = STEPS.indexOf(step);
    const wanted = STEPS.map((_, at) => (at <= reached ? "yes" : "no"));
    const steps = this.order(order).locator(".steps li");
    await expect.poll(() => steps.evaluateAll((all) => all.map((one) => one.getAttribute("data-done"))), { message: `order ${order.number}` }).toEqual(wanted);
  }
}
