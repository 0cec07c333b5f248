import { type Locator, type Page, expect } from "@playwright/test";
import type { Order } from "../support/staff";
import type { LoginPage } from "./login";
import type { Language } from "./words";

/** What the counter says, as far as stories read it. */
export const COUNTER_WORDS = {
  ko: {
    confirm: "결제 확인",
    reject: "거절",
    tenders: { cash: "현금", card: "카드", transfer: "계좌 이체" },
    outOf: "재료가 떨어졌습니다",
    otherReason: "다른 이유",
    rejectSo: "이 이유로 거절",
    empty: "결제를 기다리는 주문이 없습니다",
    waiting: "결제 대기",
    sales: "오늘 매출",
    enterOrder: "주문 입력",
    held: /^재고 예약 \d+:\d\d$/,
    lost: "재고 예약 만료",
    notTaken: "받지 않음 · 주문 거절",
    taken: "이미 받음 · 환불로 남기기",
  },
  en: {
    confirm: "Confirm payment",
    reject: "Reject",
    tenders: { cash: "Cash", card: "Card", transfer: "Transfer" },
    outOf: "We ran out of it",
    otherReason: "Another reason",
    rejectSo: "Reject for this reason",
    empty: "No order awaits payment",
    waiting: "To pay",
    sales: "Sales today",
    enterOrder: "New order",
    held: /^Stock held \d+:\d\d$/,
    lost: "Stock no longer held",
    notTaken: "Not taken · reject the order",
    taken: "Taken · note a refund",
  },
} as const;

export type Tender = keyof (typeof COUNTER_WORDS)["ko"]["tenders"];

/** `/{store}/counter`: who waits to pay, and whether the kitchen has what was paid. */
export class CounterPage {
  readonly words: (typeof COUNTER_WORDS)[Language];

  constructor(
    readonly page: Page,
    language: Language,
  ) {
    this.words = COUNTER_WORDS[language];
  }

  /** Signed in, loaded, live. */
  static async open(login: LoginPage): Promise<CounterPage> {
    await login.chooseLanguage();
    await login.open();
    await login.signIn("counter");
    const counter = new CounterPage(login.page, login.language);
    await counter.expectLive();
    return counter;
  }

  get rows(): Locator {
    return this.page.locator("[data-testid^='pay-']");
  }

  get waiting(): Locator {
    return this.page.locator("[data-testid^='pay-'][data-stage='waiting']");
  }

  row(order: Order): Locator {
    return this.page.getByTestId(`pay-${order.id}`);
  }

  /** Whether the kitchen has what was paid. */
  delivery(order: Order): Locator {
    return this.row(order).locator("[data-delivery]");
  }

  /** How long the stock of an order is held yet. */
  hold(order: Order): Locator {
    return this.row(order).locator("[data-hold]");
  }

  /** What was ordered is gone. */
  get unsold(): Locator {
    return this.page.getByTestId("unsold");
  }

  get tenders(): Locator {
    return this.page.getByTestId("tenders");
  }

  get sales(): Locator {
    return this.page.getByRole("button", { name: this.words.sales });
  }

  async askForTender(order: Order): Promise<void> {
    await this.row(order).getByRole("button", { name: this.words.confirm }).click();
    await expect(this.tenders).toBeVisible();
  }

  async confirm(order: Order, tender: Tender): Promise<void> {
    await this.askForTender(order);
    await this.tenders.getByRole("button", { name: this.words.tenders[tender] }).click();
  }

  async askForReason(order: Order): Promise<Locator> {
    await this.row(order).getByRole("button", { name: this.words.reject }).click();
    return this.page.getByTestId("reasons");
  }

  async expectLive(): Promise<void> {
    await expect(this.page.getByTestId("pill")).toHaveAttribute("data-state", "live", { timeout: 20_000 });
  }

  async expectQueue(orders: Order[]): Promise<void> {
    const wanted = orders.map((order) => `pay-${order.id}`);
    const shown = () => this.waiting.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-testid")));
    await expect.poll(shown, { message: "the queue" }).toEqual(wanted);
  }
}
