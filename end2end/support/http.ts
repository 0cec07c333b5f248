import http from "node:http";

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One request on a connection of its own: a server that was killed leaves no half-dead socket behind. */
export function request(url: string, question: Question = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, method: question.method ?? "GET", headers: question.headers ?? {}, timeout: 10_000 };
    const sent = http.request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("timeout", () => sent.destroy(new Error(`no answer from ${url}`)));
    sent.on("error", reject);
    sent.end(question.body);
  });
}
