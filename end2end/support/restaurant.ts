import { Jumun } from "./jumun";
import { Cable } from "./proxy";
import { type MenuItem, type Order, Staff, type Table, type Wanted } from "./staff";

/** A demo restaurant of the story's own: its server, the cable to it, and someone who takes orders. */
export class Restaurant {
  private seated = new Set<string>();

  private constructor(
    readonly jumun: Jumun,
    readonly cable: Cable,
    readonly staff: Staff,
    readonly tables: Table[],
    /** What the kitchen station cooks without a count, in the order of the menu. */
    readonly dishes: MenuItem[],
    /** Dishes that are counted, in the order of the menu. */
    readonly counted: MenuItem[],
  ) {}

  /** Opens with no order. Screens go through the cable, the staff does not. */
  static async open(heartbeatMs: number): Promise<Restaurant> {
    const jumun = await Jumun.start(heartbeatMs);
    const cable = await Cable.to(jumun.port);
    const staff = await Staff.signIn(jumun.url);
    const menu = (await staff.menu()).filter((item) => !item.soldOut);
    const station = menu[0]?.stationId;
    const dishes = menu.filter((item) => item.stationId === station && item.stockId === undefined);
    const counted = menu.filter((item) => item.stockId !== undefined);
    return new Restaurant(jumun, cable, staff, await staff.tables(), dishes, counted);
  }

  /** Where the screens of this restaurant are. */
  get url(): string {
    return this.cable.url;
  }

  table(index: number): Table {
    return at(this.tables, index);
  }

  dish(index: number): MenuItem {
    return at(this.dishes, index);
  }

  counts(index: number): MenuItem {
    return at(this.counted, index);
  }

  /** An order at a table, not yet paid. The kitchen does not see it. */
  async place(index: number, wanted: Wanted[] = [{ item: this.dish(index) }], note = ""): Promise<Order> {
    const table = this.table(index);
    if (!this.seated.has(table.id)) {
      // Guests who scan its code sit down by themselves.
      const state = (await this.staff.tables()).find((one) => one.id === table.id)?.state;
      if (state !== "seated") await this.staff.seat(table);
      this.seated.add(table.id);
    }
    return this.staff.order(table, wanted, note);
  }

  /** An order that is paid and waits in the kitchen. */
  async fire(index: number, wanted?: Wanted[], note = ""): Promise<Order> {
    const order = await this.place(index, wanted, note);
    await this.staff.confirm(order);
    return order;
  }

  async close(): Promise<void> {
    await this.cable.dispose();
    await this.jumun.dispose();
  }
}

function at<T>(list: T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("the demo restaurant is empty");
  return found;
}
