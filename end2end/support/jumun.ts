import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { request } from "./http";

const TARGET = resolve(import.meta.dirname, "../../target");
const BINARY = process.env.JUMUN_BIN ?? join(TARGET, "release/jumun");
const SITE = process.env.JUMUN_SITE_DIR ?? join(TARGET, "site");

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** A server of the story's own: the release binary on a database file that goes away with it. */
export class Jumun {
  private process: ChildProcess | undefined;
  private log: string[] = [];

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly heartbeatMs: number,
  ) {}

  static async start(heartbeatMs: number): Promise<Jumun> {
    const folder = await mkdtemp(join(tmpdir(), "jumun-"));
    const jumun = new Jumun(await freePort(), folder, heartbeatMs);
    await jumun.startAgain();
    return jumun;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process on the same port and the same database. */
  async startAgain(): Promise<void> {
    const flags = {
      "--database-url": `sqlite:${join(this.folder, "jumun.db")}`,
      "--listen": `127.0.0.1:${this.port}`,
      "--metrics-listen": `127.0.0.1:${await freePort()}`,
      "--site-dir": SITE,
      "--heartbeat-ms": String(this.heartbeatMs),
    };
    this.process = spawn(BINARY, ["serve", "--demo", ...Object.entries(flags).flat()], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on("data", (chunk: Buffer) => this.log.push(chunk.toString()));
    }
    await this.ready();
  }

  /** `kill -9`: no drain, no goodbye. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** SIGTERM: the server drains its streams and goes; its exit code. */
  async terminate(): Promise<number | null> {
    return this.end("SIGTERM");
  }

  /** What the process has printed, for a story that failed. */
  output(): string {
    return this.log.join("");
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const process = this.process;
    this.process = undefined;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return process?.exitCode ?? null;
    const gone = once(process, "exit");
    process.kill(signal);
    await gone;
    return process.exitCode;
  }

  private async ready(): Promise<void> {
    const patience = Date.now() + 20_000;
    while (Date.now() < patience) {
      if (this.process?.exitCode !== null) break;
      const answer = await request(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      await new Promise((resume) => setTimeout(resume, 50));
    }
    throw new Error(`${BINARY} did not get ready:\n${this.output()}`);
  }
}
