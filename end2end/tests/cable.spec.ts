import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { expect, test } from "@playwright/test";
import { Cable } from "../support/proxy";

/** A server that answers each byte with itself. */
async function echo() {
  const server = createServer((socket) => socket.on("error", () => socket.destroy()).pipe(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function through(cable: Cable): Promise<Socket> {
  const socket = connect({ port: Number(new URL(cable.url).port), host: "127.0.0.1" });
  await once(socket, "connect");
  socket.on("error", () => socket.destroy());
  return socket;
}

async function answer(socket: Socket, word: string): Promise<string> {
  socket.write(word);
  const [chunk] = await once(socket, "data");
  return String(chunk);
}

test("the cable carries, and a closing cut resets what it carried and refuses what comes", async () => {
  const server = await echo();
  const cable = await Cable.to((server.address() as AddressInfo).port);
  const socket = await through(cable);
  expect(await answer(socket, "one")).toBe("one");

  const reset = once(socket, "error");
  cable.cutClosing();
  expect(String((await reset)[0])).toContain("ECONNRESET");
  const refused = connect({ port: Number(new URL(cable.url).port), host: "127.0.0.1" });
  await once(refused, "error");

  cable.restore();
  expect(await answer(await through(cable), "two")).toBe("two");
  await cable.dispose();
  server.close();
});

test("a silent cut keeps sockets open and lets nothing pass, and a restored cable resets them", async () => {
  const server = await echo();
  const cable = await Cable.to((server.address() as AddressInfo).port);
  const socket = await through(cable);
  expect(await answer(socket, "one")).toBe("one");

  cable.cutSilent();
  const events: string[] = [];
  socket.on("data", () => events.push("data"));
  socket.on("close", () => events.push("close"));
  socket.on("error", () => events.push("error"));
  socket.write("lost");
  const late = await through(cable);
  late.on("close", () => events.push("late"));
  // Nothing to wait for: a second cable shows that time enough for an answer has passed.
  const other = await Cable.to((server.address() as AddressInfo).port);
  expect(await answer(await through(other), "two")).toBe("two");
  expect(events).toEqual([]);

  const closed = new Promise((resume) => socket.on("close", resume));
  cable.restore();
  await closed;
  expect(events).toContain("error");
  await cable.dispose();
  await other.dispose();
  server.close();
});
