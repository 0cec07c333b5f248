import { request } from "../support/http";
import { expect, test } from "../support/story";

/** The addresses of the client's files, as the page names them. */
async function files(url: string): Promise<Record<"js" | "wasm" | "css", string>> {
  const page = (await request(`${url}/login`)).body.toString();
  const find = (end: string) => {
    const found = new RegExp(`/pkg/[a-z]+-[0-9a-f]+\\.${end}`).exec(page);
    if (found === null) throw new Error(`the page names no ${end}`);
    return found[0];
  };
  return { js: find("js"), wasm: find("wasm"), css: find("css") };
}

test("the client's files have their types, are compressed and never asked for again", async ({ restaurant }) => {
  const url = restaurant.jumun.url;
  const types = { js: /javascript/, wasm: /^application\/wasm$/, css: /^text\/css/ };
  for (const [kind, path] of Object.entries(await files(url)) as ["js" | "wasm" | "css", string][]) {
    for (const encoding of ["br", "gzip"]) {
      const answer = await request(url + path, { headers: { "accept-encoding": encoding } });
      expect(answer.status, path).toBe(200);
      expect(answer.headers["content-type"], path).toMatch(types[kind]);
      expect(answer.headers["content-encoding"], path).toBe(encoding);
      expect(answer.headers["cache-control"], path).toMatch(/immutable/);
      expect(answer.headers.vary, path).toMatch(/accept-encoding/i);
    }
    const plain = await request(url + path);
    expect(plain.headers["content-encoding"], path).toBeUndefined();
  }
});

test("what is not there is 404, not a page", async ({ restaurant }) => {
  const url = restaurant.jumun.url;
  const unknown = ["/pkg/app-0000000000000000.js", "/pkg/app-0000000000000000.wasm", "/pkg/nothing", "/pkg/..%2fmanifest.json", "/pkg/%2e%2e/%2e%2e/Cargo.toml"];
  for (const path of unknown) {
    const answer = await request(url + path);
    expect(answer.status, path).toBe(404);
    expect(answer.body.toString(), path).not.toContain("<html");
  }
  const api = await request(`${url}/api/nothing`);
  expect(api.status).toBe(404);
  expect(api.headers["content-type"]).toMatch(/^application\/problem\+json/);
});

test("pages are never kept, and a strict policy says what they may load", async ({ restaurant }) => {
  for (const path of ["/login", "/demo/kitchen"]) {
    const answer = await request(restaurant.jumun.url + path);
    expect(answer.headers["cache-control"], path).toMatch(/no-cache|no-store/);
    const policy = String(answer.headers["content-security-policy"]);
    expect(policy, path).toContain("'wasm-unsafe-eval'");
    expect(policy, path).toMatch(/script-src[^;]*'nonce-/);
    expect(policy, path).not.toMatch(/script-src[^;]*'unsafe-inline'/);
    expect(policy, path).not.toMatch(/'unsafe-eval'/);
    expect(policy, path).toMatch(/frame-ancestors 'none'/);
    expect(answer.headers["x-content-type-options"], path).toBe("nosniff");
  }
});

test("the session's cookie is out of reach of scripts", async ({ restaurant, kitchen, context }) => {
  await kitchen.expectLive();
  const cookies = await context.cookies(restaurant.url);
  const session = cookies.find((cookie) => cookie.httpOnly);
  expect(session, "an HttpOnly cookie").toBeDefined();
  expect(["Lax", "Strict"]).toContain(session?.sameSite);
});

test("Pretendard is served by us", async ({ kitchen, page }) => {
  await kitchen.expectLive();
  await page.evaluate(() => document.fonts.ready);
  const loaded = await page.evaluate(() => [...document.fonts].filter((face) => face.status === "loaded").map((face) => face.family));
  expect(loaded.join()).toContain("Pretendard");
  const hosts = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => new URL(entry.name).host));
  expect(new Set(hosts)).toEqual(new Set([new URL(page.url()).host]));
});
