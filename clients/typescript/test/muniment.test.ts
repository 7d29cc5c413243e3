// Tests with a real server, whose address is in MUNIMENT_URL. MUNIMENT_BAD_URL is the same server
// at the end of a bad wire: see clients_test.go.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Archive, MunimentError, milliseconds, type Cited } from "../muniment.ts";

const url = process.env.MUNIMENT_URL!, badURL = process.env.MUNIMENT_BAD_URL!;
const archive = new Archive(url + "/");
const stopped = "The mill wheel has stopped.", march = "1931-03-14.txt";
const fails = (what: Promise<unknown>): Promise<MunimentError> =>
  what.then((v) => assert.fail(JSON.stringify(v)), (error) => { assert.ok(error instanceof MunimentError, String(error)); return error; });

test("search, read and cite", async () => {
  const hit = (await archive.search("mill wheel stopped", 3)).hits[0]!;
  assert.equal(hit.name, "in/" + march);
  const whole = await archive.read(hit.name);
  assert.ok(whole.passages.some((p) => p.text.includes(hit.text)));
  assert.equal((await archive.read(hit.artifact, { span: "p3:0-27" })).passages[0]!.text, stopped);
  const cited = await archive.cite({ claim: stopped, quote: stopped, artifact: hit.artifact, session: "typescript" });
  assert.deepEqual([cited.verification_status, cited.span], ["verified", "p3:0-27"]);
});

test("a verdict of no, and its next call", async () => {
  const wrong = { claim: stopped, quote: "The mill wheel has stoped.", artifact: march };
  assert.equal((await archive.cite(wrong)).verification_status, "failed");
  assert.equal((await archive.cite(wrong, { follow: true })).verification_status, "verified");
  const lost = await archive.cite({ claim: "Bees swarm.", quote: "Bees swarm over the orchard at dusk.", artifact: march }, { follow: true });
  assert.equal(lost.verification_status, "failed");
  await archive.follow(lost.next_call!);
});

test("a batch", async () => {
  const [good, bad] = await archive.citeBatch([{ claim: stopped, quote: stopped }, { claim: "x", quote: "x", artifact: "nothing.txt" }]);
  assert.equal(good!.citation!.verification_status, "verified");
  assert.equal(bad!.error!.error_type, "SourceNotFound");
});

test("ask, seal, examine, and their bundles", async () => {
  const answer = await archive.ask("Who repaired the mill wheel?");
  assert.equal(answer.outcome, "supported");
  const report = await archive.sealReport("Tobias Lunt repaired the mill wheel.\n\nThe mill was sold to a brewery.\n");
  assert.deepEqual([report.outcome, report.claims.length, report.removed.length], ["narrowed", 1, 1]);
  const text = "The letter says “Tobias Lunt repaired the mill weel.”";
  const examined = await archive.examine(text);
  assert.equal(examined.items[0]!.verdict, "altered");
  assert.equal((await archive.examine(new TextEncoder().encode(text), "draft.txt")).items[0]!.verdict, "altered");
  for (const id of [answer.id, report.id, examined.id!]) {
    assert.match((await archive.verify(await archive.bundle(id))).verdict, /^(VALID|INCOMPLETE)$/);
  }
  const checked = await archive.check("The mill was sold to a brewery.");
  assert.deepEqual([checked.decision, checked.findings[0]!.fault], ["flagged", "uncited"]);
});

test("errors", async () => {
  const error = await fails(archive.read("nothing.txt"));
  assert.deepEqual([error.status, error.error_type], [404, "SourceNotFound"]);
  assert.ok(error.detail && error.suggestion && error.request_id);
  const usage = await fails(archive.cite({ claim: stopped, quote: stopped, qoute: stopped } as never));
  assert.match(JSON.stringify(usage.fault.errors), /qoute/);
  assert.equal((await fails(archive.bundle("0".repeat(32)))).status, 404);
  assert.equal((await fails(new Archive(url, { token: "wrong" }).status())).status, 401);
  assert.equal((await fails(new Archive("http://127.0.0.1:1", { patience: 0 }).status())).error_type, "Unreachable");
});

test("a lost reply, and a busy server", async () => {
  const bad = new Archive(badURL, { patience: 10_000 });
  const flour = "There is flour for nine days.";
  const cited: Cited = await bad.cite({ claim: flour, quote: flour, session: "wire-ts" });
  assert.equal(cited.verification_status, "verified");
  const listed = await (await fetch(url + "/api/v1/citations?session=wire-ts")).json() as { citations: Cited[] };
  assert.deepEqual(listed.citations.map((c) => c.citation_id), [cited.citation_id]);
  const impatient = await fails(new Archive(badURL, { patience: 500 }).cite({ claim: stopped, quote: stopped }));
  assert.deepEqual([impatient.status, impatient.error_type], [503, "Busy"]);
  assert.deepEqual(["3", "soon", null, "Thu, 01 Jan 1970 00:00:00 GMT"].map(milliseconds), [3000, undefined, undefined, 0]);
});

test("a redirect carries the token nowhere", async () => {
  const asked: (string | undefined)[] = [];
  const elsewhere = createServer((request, reply) => {
    asked.push(request.url);
    if (request.url === "/caught") return reply.end("{}");
    reply.writeHead(307, { Location: "/caught" }).end();
  }).listen(0, "127.0.0.1");
  await new Promise((done) => elsewhere.once("listening", done));
  const error = await fails(new Archive(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`, { token: "secret" }).status());
  elsewhere.close();
  assert.equal(error.error_type, "Unreachable");
  assert.deepEqual(asked, ["/api/v1/status"]);
});
