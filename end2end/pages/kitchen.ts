import { type Locator, type Page, expect } from "@playwright/test";
import type { Order } from "../support/staff";
import type { Words } from "./words";

export type Column = "waiting" | "cooking" | "cooked";

/** `/{store}/kitchen`: three columns of tickets, and whether they are true right now. */
export class KitchenPage {
  constructor(
    readonly page: Page,
    readonly words: Words,
  ) {}

  get pill(): Locator {
    return this.page.getByTestId("pill");
  }

  get allDay(): Locator {
    return this.page.getByTestId("allday");
  }

  get recallList(): Locator {
    return this.page.getByTestId("recall-list");
  }

  get tickets(): Locator {
    return this.page.locator("[data-testid^='ticket-']");
  }

  ticket(order: Order): Locator {
    return this.page.getByTestId(`ticket-${order.id}`);
  }

  column(column: Column): Locator {
    return this.page.getByTestId(`column-${column}`);
  }

  /** The one primary button of a ticket. */
  button(order: Order, name: string): Locator {
    return this.ticket(order).getByRole("button", { name, exact: true });
  }

  async start(order: Order): Promise<void> {
    await this.button(order, this.words.start).click();
  }

  async ready(order: Order): Promise<void> {
    await this.button(order, this.words.ready).click();
  }

  async recall(order: Order): Promise<void> {
    await this.button(order, this.words.recall).click();
  }

  async expectLive(): Promise<void> {
    await expect(this.pill).toContainText(this.words.live, { timeout: 20_000 });
  }

  async expectOffline(): Promise<void> {
    await expect(this.pill).toContainText(this.words.offline, { timeout: 30_000 });
    await expect(this.page.getByText(this.words.offlineBar)).toBeVisible();
  }

  async expectIn(order: Order, column: Column): Promise<void> {
    await expect(this.ticket(order)).toHaveAttribute("data-column", column);
    await expect(this.column(column).getByTestId(`ticket-${order.id}`)).toHaveCount(1);
  }

  async expectGone(order: Order): Promise<void> {
    await expect(this.ticket(order)).toHaveCount(0);
  }

  /** The board shows exactly these tickets, in these columns: none lost, none doubled. */
  async expectBoard(board: Record<Column, Order[]>): Promise<void> {
    for (const column of ["waiting", "cooking", "cooked"] as const) {
      const wanted = board[column].map((order) => `ticket-${order.id}`).sort();
      await expect.poll(() => this.idsIn(column), { message: `column ${column}` }).toEqual(wanted);
    }
  }

  private async idsIn(column: Column): Promise<string[]> {
    const tickets = this.column(column).locator("[data-testid^='ticket-']");
    return (await tickets.evaluateAll((found) => found.map((one) => one.getAttribute("data-testid") ?? ""))).sort();
  }

  /** Marks this document: a mark that is still there later proves that the page was not loaded again. */
  async markDocument(): Promise<void> {
    await this.page.evaluate(() => Object.assign(window, { unreloaded: true }));
  }

  async expectNotReloaded(): Promise<void> {
    expect(await this.page.evaluate(() => "unreloaded" in window), "the page was loaded again").toBe(true);
  }
}
