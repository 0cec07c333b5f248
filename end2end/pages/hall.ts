import { type Locator, type Page, expect } from "@playwright/test";
import type { Language } from "./words";

/** What the hall says, as far as stories read it. */
const WORDS = {
  ko: {
    live: "실시간",
    serving: "서빙 대기",
    served: /서빙 완료$/,
    undo: "실행 취소",
    close: "닫기",
    seat: "착석",
    clear: "테이블 완료",
    cleaned: "정리 완료",
    transfer: "자리이동",
    join: "합석",
    unjoin: "합석 해제",
    moveLines: "주문 옮기기",
    chooseTable: /옮길 테이블 고르기/,
    covers: /^인원/,
    more: "한 명 늘리기",
    save: "저장",
    bill: "계산 요청",
    confirm: "결제 확인",
    card: "카드",
    addOrder: "주문 추가",
    take: /확인$/,
    done: /완료$/,
    cancel: "그만두기",
    unpaid: /결제하지 않은 주문/,
    joined: "합석",
    nothing: "서빙할 음식이 없습니다",
    note: "메모",
    paid: /결제 완료/,
    cooking: "조리 중",
    count: "인원",
  },
  en: {
    live: "Live",
    serving: "Ready to serve",
    served: /served$/i,
    undo: "Undo",
    close: "Close",
    seat: "Seat",
    clear: "Clear table",
    cleaned: "Cleaned",
    transfer: "Move party",
    join: "Join",
    unjoin: "Part tables",
    moveLines: "Move lines",
    chooseTable: /Choose a table/,
    covers: /^Guests/,
    more: "One more",
    save: "Save",
    bill: "Ask for bill",
    confirm: "Confirm payment",
    card: "Card",
    addOrder: "Add order",
    take: /Take$/,
    done: /Done$/,
    cancel: "Cancel",
    unpaid: /There are unpaid orders/,
    joined: "Joined",
    nothing: "Nothing to serve",
    note: "Note",
    paid: /Paid/,
    cooking: "Cooking",
    count: "Guests",
  },
};

export type TileState = "free" | "seated" | "awaiting-payment" | "cooking" | "ready" | "dining" | "dirty";

/** `/{store}/hall`: the floor, calls, and what can be served. */
export class HallPage {
  readonly words: (typeof WORDS)["ko"];

  constructor(
    readonly page: Page,
    readonly language: Language,
  ) {
    this.words = WORDS[language];
  }

  get pill(): Locator {
    return this.page.getByTestId("pill");
  }

  get drawer(): Locator {
    return this.page.getByTestId("drawer");
  }

  get calls(): Locator {
    return this.page.locator(".calls .call");
  }

  get tiles(): Locator {
    return this.page.locator(".tile");
  }

  /** The tile of that label: `A-1`, joined `A-1+A-2`. */
  tile(label: string): Locator {
    return this.tiles.filter({ has: this.page.getByText(label, { exact: true }) });
  }

  zone(name: RegExp): Locator {
    return this.page.locator(".zone").filter({ hasText: name });
  }

  /** What can be served at a table. */
  group(label: string): Locator {
    return this.page.locator(".group").filter({ has: this.page.getByRole("heading", { name: label, exact: true }) });
  }

  /** Where a note is written. */
  get note(): Locator {
    return this.drawer.getByRole("textbox", { name: this.words.note });
  }

  /** The line of that number in the drawer, from 0. */
  line(at: number): Locator {
    return this.drawer.locator(".line").nth(at);
  }

  action(name: string | RegExp): Locator {
    return this.drawer.getByRole("button", { name, exact: true });
  }

  async open(label: string): Promise<void> {
    await this.tile(label).click();
    await expect(this.drawer).toBeVisible();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.drawer).toBeHidden();
  }

  async serve(label: string): Promise<void> {
    await this.group(label).locator(".primary").click();
  }

  async expectLive(): Promise<void> {
    await expect(this.pill).toContainText(this.words.live, { timeout: 20_000 });
  }

  async expectState(label: string, state: TileState): Promise<void> {
    await expect(this.tile(label)).toHaveAttribute("data-state", state);
  }
}
