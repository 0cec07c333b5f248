import { randomUUID } from "node:crypto";
import { type Answer, request } from "./http";

export interface Text {
  ko?: string;
  en?: string;
}

export interface Option {
  id: string;
  name: Text;
  soldOut: boolean;
}

export interface MenuItem {
  id: string;
  name: Text;
  stationId?: string;
  soldOut: boolean;
  stockId?: string;
  optionGroups: { id: string; min: number; max: number; options: Option[] }[];
}

/** What is counted. */
export interface Stock {
  id: string;
  version: number;
  name: Text;
  available: number;
  onHand: number;
  held: number;
}

export interface Table {
  id: string;
  name: string;
  /** On its sticker. */
  code: string;
  state: "free" | "seated" | "dirty";
}

export type KitchenState = "waiting" | "cooking" | "cooked" | "served";

export interface Line {
  id: string;
  name: Text;
  quantity: number;
  kitchenState: KitchenState;
}

export interface Order {
  id: string;
  number: number;
  tableLabel: string;
  lines: Line[];
  rid?: string;
  holdExpiresAt?: number;
  holdLost: boolean;
  checkoutStage: string;
}

export interface Wanted {
  item: MenuItem;
  quantity?: number;
  note?: string;
  allergy?: string;
}

/** The demo restaurant's PINs. */
export const PINS = { owner: "1000", manager: "2000", hall: "3000", counter: "4000", kitchen: "5000" } as const;
export type StaffName = keyof typeof PINS;

/** Someone on the staff who works through the public HTTP API, beside the screen under test. */
export class Staff {
  private constructor(
    private readonly server: string,
    private readonly cookie: string,
    private readonly store: string,
  ) {}

  static async signIn(server: string, staff: StaffName = "owner"): Promise<Staff> {
    const body = JSON.stringify({ storeCode: "demo", staff, pin: PINS[staff] });
    const headers = { "content-type": "application/json" };
    const answer = ok(await request(`${server}/api/auth/login`, { method: "POST", headers, body }));
    const cookie = (answer.headers["set-cookie"] ?? []).map((one) => one.split(";")[0]).join("; ");
    const me = ok(await request(`${server}/api/auth/me`, { headers: { cookie } }));
    return new Staff(server, cookie, JSON.parse(me.body.toString()).storeId);
  }

  async menu(): Promise<MenuItem[]> {
    return (await this.get("/menu")).items;
  }

  /** What is counted of an item. */
  async stock(item: MenuItem): Promise<Stock> {
    const rows: Stock[] = (await this.get("/menu")).stock;
    const row = rows.find((row) => row.id === item.stockId);
    if (row === undefined) throw new Error("it is not counted");
    return row;
  }

  /** So many are there. */
  async count(item: MenuItem, onHand: number): Promise<void> {
    const { id, version } = await this.stock(item);
    await this.command(`/stock/${id}/adjust`, { onHand, expectedVersion: version, reason: "stocktaking" });
  }

  /** A cart at a terminal holds so many. */
  async hold(item: MenuItem, quantity: number): Promise<string> {
    const line = { menuId: item.id, quantity, optionIds: needed(item) };
    return (await this.command("/reservations/batch", { lines: [line] })).rid;
  }

  /** Gives back what a hold holds. */
  async release(rid: string): Promise<void> {
    await this.command(`/reservations/${rid}/release`, { reason: "broken" });
  }

  /** An order as it is now. */
  async find(order: Order): Promise<Order> {
    const found = (await this.hallOrders()).find((one) => one.id === order.id);
    if (found === undefined) throw new Error("the order has gone");
    return found;
  }

  async refundsDue(): Promise<{ orderId: string; number: number }[]> {
    return (await this.get("/refunds/due")).refunds;
  }

  async tables(): Promise<Table[]> {
    return (await this.get("/tables")).tables;
  }

  /** What the kitchen has to do, as the server knows it. */
  async kitchenOrders(): Promise<Order[]> {
    return (await this.get("/kitchen/orders")).orders;
  }

  /** Every open order, as the server knows it. */
  async hallOrders(): Promise<Order[]> {
    return (await this.get("/hall/orders")).orders;
  }

  async seat(table: Table, covers = 2): Promise<void> {
    await this.command(`/tables/${table.id}/seat`, { covers });
  }

  async order(table: Table, wanted: Wanted[], note = ""): Promise<Order> {
    const answer = await this.command("/hall/orders", { tableId: table.id, channel: "hall", lines: lines(wanted), note });
    return answer.orders[0];
  }

  async takeout(wanted: Wanted[]): Promise<Order> {
    const answer = await this.command("/hall/orders", { channel: "takeout", lines: lines(wanted), note: "" });
    return answer.orders[0];
  }

  async confirm(order: Order): Promise<void> {
    await this.command(`/hall/orders/${order.id}/confirm`, { tender: "card" });
  }

  async advance(order: Order, to: "cooking" | "cooked", lineIds?: string[]): Promise<void> {
    await this.command(`/kitchen/orders/${order.id}/advance`, lineIds ? { lineIds, to } : { to });
  }

  async recall(order: Order): Promise<void> {
    await this.command(`/kitchen/orders/${order.id}/recall`, {});
  }

  async serve(order: Order): Promise<void> {
    await this.command(`/servings/${order.id}/serve`, {});
  }

  async transfer(table: Table, to: Table): Promise<void> {
    await this.command(`/tables/${table.id}/transfer`, { toTableId: to.id });
  }

  async clear(table: Table): Promise<void> {
    await this.command(`/tables/${table.id}/clear`, {});
  }

  async cleaned(table: Table): Promise<void> {
    await this.command(`/tables/${table.id}/cleaned`, {});
  }

  async voidLine(order: Order, line: Line, reason: string): Promise<void> {
    await this.command(`/hall/orders/${order.id}/lines/${line.id}/void`, { reason });
  }

  async soldOut(item: MenuItem, soldOut: boolean): Promise<void> {
    await this.command(`/menu/${item.id}/sold-out`, { soldOut });
  }

  private async get(path: string) {
    const answer = await request(this.address(path), { headers: { cookie: this.cookie } });
    return JSON.parse(ok(answer).body.toString());
  }

  private async command(path: string, body: object) {
    const headers = { cookie: this.cookie, "content-type": "application/json", "idempotency-key": randomUUID() };
    const question = { method: "POST", headers, body: JSON.stringify(body) };
    return JSON.parse(ok(await request(this.address(path), question), `${path} ${question.body}`).body.toString());
  }

  private address(path: string): string {
    return `${this.server}/api/pos/${this.store}${path}`;
  }
}

function lines(wanted: Wanted[]) {
  return wanted.map(({ item, quantity, note, allergy }) => ({
    menuId: item.id,
    quantity: quantity ?? 1,
    optionIds: needed(item),
    note: note ?? "",
    allergy: allergy ?? "",
  }));
}

/** The first available options of each group that must be chosen from. */
function needed(item: MenuItem): string[] {
  return item.optionGroups.flatMap((group) => {
    const available = group.options.filter((option) => !option.soldOut);
    return available.slice(0, group.min).map((option) => option.id);
  });
}

function ok(answer: Answer, what = ""): Answer {
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${what} ${answer.status}: ${answer.body.toString()}`);
  }
  return answer;
}
