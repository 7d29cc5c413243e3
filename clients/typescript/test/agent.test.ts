// The agent, as a program of its own: it answers from a real server and mails to a sink that
// speaks SMTP on loopback.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Archive } from "../muniment.ts";

const mails: { to: string[]; message: string }[] = [];
const sink = createServer((socket) => {
  let input = "", to: string[] = [], inMessage = false;
  socket.setEncoding("utf8").on("data", (part) => {
    input += part;
    for (let end; (end = input.indexOf(inMessage ? "\r\n.\r\n" : "\r\n")) >= 0; ) {
      const line = input.slice(0, end);
      input = input.slice(end + (inMessage ? 5 : 2));
      if (inMessage) mails.push({ to, message: line.replace(/^\./gm, "") });
      if (/^RCPT TO:/i.test(line)) to.push(line.slice(8).trim());
      const starts = !inMessage && line === "DATA";
      if (inMessage) to = [];
      inMessage = starts;
      socket.write(starts ? "354 go on\r\n" : "250 ok\r\n");
    }
  }).on("error", () => {}).write("220 sink\r\n");
});
before(() => new Promise<void>((done) => void sink.listen(0, "127.0.0.1", done)));
after(() => void sink.close());

/** Returns how the agent ended and what it printed. */
async function runAgent(question: string) {
  const env = { ...process.env, SMTP_URL: `smtp://127.0.0.1:${(sink.address() as AddressInfo).port}` };
  const agent = fileURLToPath(new URL("../examples/agent.js", import.meta.url));
  return promisify(execFile)(process.execPath, [agent, question, "ruth@example.org"], { env }).then(
    ({ stdout }) => ({ code: 0, printed: stdout }), (error) => ({ code: error.code as number, printed: error.stderr as string }));
}

test("the agent mails a sealed report", async () => {
  const { code, printed } = await runAgent("Who repaired the mill wheel?");
  assert.equal(code, 0, printed);
  assert.match(printed, /^mailed to ruth@example\.org: supported, 1 claims, bundle [0-9a-f]{32}\n$/);
  const [{ to, message }] = mails as [{ to: string[]; message: string }];
  assert.deepEqual(to, ["<ruth@example.org>"]);
  assert.match(message, /^Subject: Who repaired the mill wheel\?\r$/m);
  const [, attached] = /report\.zip[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(message.slice(message.indexOf("application/zip"))) ?? [];
  const archive = new Archive(process.env.MUNIMENT_URL!);
  const verdict = await archive.verify(new Uint8Array(Buffer.from(attached!, "base64")));
  assert.match(verdict.verdict, /^(VALID|INCOMPLETE)$/);
  // What the mail says was verified is registered.
  const text = message.replace(/=\r\n/g, "");
  const [, citation] = /verified: .* (baga[a-z0-9]+)/.exec(text) ?? [];
  assert.ok(citation, text);
  assert.equal((await fetch(`${process.env.MUNIMENT_URL}/api/v1/citations/${citation}`)).status, 200);
});

test("the agent mails nothing that the archive does not bear out", async () => {
  const { code, printed } = await runAgent("Which painting did she buy in Vienna?");
  assert.equal(code, 1);
  assert.ok(printed.trim());
  assert.equal(mails.length, 1);
});
