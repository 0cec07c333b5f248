import type { BrowserContext, Page } from "@playwright/test";

/** What Chromium itself logs about a request that failed; no page can keep it from that. */
const NETWORK = /Failed to load resource|net::ERR_/;

/** Listens to the console of every page: an error there fails the story. */
export class ConsoleWatch {
  private readonly allowed: RegExp[] = [];
  private readonly errors: string[] = [];
  private over = false;

  constructor(context: BrowserContext) {
    this.follow(context);
  }

  /** One device more. */
  follow(context: BrowserContext): void {
    for (const page of context.pages()) this.listen(page);
    context.on("page", (page) => this.listen(page));
  }

  /** The story will cut the network or stop the server. */
  allowNetworkErrors(): void {
    this.allow(NETWORK);
  }

  /** The story provokes a refusal that the browser logs. */
  allow(pattern: RegExp): void {
    this.allowed.push(pattern);
  }

  /** The story is told: what pages say when their server goes away is not part of it. */
  close(): void {
    this.over = true;
  }

  unexpected(): string[] {
    return this.errors.filter((error) => !this.allowed.some((pattern) => pattern.test(error)));
  }

  private listen(page: Page): void {
    page.on("pageerror", (error) => this.note(`page error: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.note(`${message.text()} (${message.location().url})`);
    });
  }

  private note(error: string): void {
    if (!this.over) this.errors.push(error);
  }
}
