import { type Locator, type Page, expect } from "@playwright/test";
import { PINS, type StaffName } from "../support/staff";
import { type Language, WORDS, type Words } from "./words";

/** `/login`: store code, staff tiles, PIN pad. */
export class LoginPage {
  readonly words: Words;

  constructor(
    readonly page: Page,
    readonly url: string,
    readonly language: Language,
  ) {
    this.words = WORDS[language];
  }

  /** Chooses the language on this device, as the settings do: for the server and for the page. */
  async chooseLanguage(): Promise<void> {
    await this.page.context().addCookies([{ name: "jumun_language", value: this.language, url: this.url }]);
    await this.page.addInitScript((code) => localStorage.setItem("jumun_language", code), this.language);
  }

  async open(path = "/login"): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  get storeCode(): Locator {
    return this.page.getByRole("textbox", { name: this.words.storeCode });
  }

  tile(staff: StaffName): Locator {
    return this.page.getByRole("button", { name: this.words.roles[staff] });
  }

  digit(digit: string): Locator {
    return this.page.getByRole("button", { name: digit, exact: true });
  }

  get wrongPin(): Locator {
    return this.page.getByRole("alert").filter({ hasText: this.words.wrongPin });
  }

  /** The demo store is there from the start; another one has to be found. */
  async chooseStore(code = "demo"): Promise<void> {
    await expect(this.tile("kitchen")).toBeVisible();
    if ((await this.storeCode.inputValue()) === code) return;
    await this.storeCode.fill(code);
    await this.page.getByRole("button", { name: this.words.find }).click();
  }

  /** Waits, as one has to, while a wrong PIN keeps the keys shut. */
  async enterPin(pin: string): Promise<void> {
    for (const digit of pin) await this.digit(digit).click();
    await this.page.getByRole("button", { name: this.words.signIn }).click();
  }

  async signIn(staff: StaffName, pin: string = PINS[staff]): Promise<void> {
    await this.chooseStore();
    await this.tile(staff).click();
    await this.enterPin(pin);
  }
}
