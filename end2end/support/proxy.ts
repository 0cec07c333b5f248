import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";

type State = "open" | "closing" | "silent";

/**
 * The cable between a screen and the server. It can be cut in two ways: closing, where every
 * socket is reset and new ones are refused, and silent, where sockets stay open and nothing
 * passes any more: what a dead access point or a full NAT table looks like.
 */
export class Cable {
  private state: State = "open";
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly upstream: number,
  ) {
    server.on("connection", (socket) => this.carry(socket));
  }

  static async to(upstream: number): Promise<Cable> {
    const server = createServer({ allowHalfOpen: true });
    const cable = new Cable(server, upstream);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return cable;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cutClosing(): void {
    this.state = "closing";
    this.resetAll();
  }

  cutSilent(): void {
    this.state = "silent";
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Connects again. Sockets from before the cut are reset, as by a router that forgot them. */
  restore(): void {
    this.resetAll();
    this.state = "open";
  }

  async dispose(): Promise<void> {
    this.resetAll();
    this.server.close();
    await once(this.server, "close");
  }

  private carry(near: Socket): void {
    this.keep(near);
    if (this.state === "closing") {
      near.resetAndDestroy();
      return;
    }
    if (this.state === "silent") {
      near.pause();
      return;
    }
    const far = connect({ port: this.upstream, host: "127.0.0.1", allowHalfOpen: true });
    this.keep(far);
    near.pipe(far);
    far.pipe(near);
    // An end on one side is an end on the other; while silent nobody learns of it.
    near.on("close", () => this.pass(() => far.destroy()));
    far.on("close", () => this.pass(() => near.destroy()));
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.sockets.delete(socket));
  }

  private pass(end: () => void): void {
    if (this.state !== "silent") end();
  }

  private resetAll(): void {
    for (const socket of this.sockets) {
      if (socket.connecting) socket.destroy();
      else socket.resetAndDestroy();
    }
    this.sockets.clear();
  }
}
