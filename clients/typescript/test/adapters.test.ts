// The adapters, with the packages that they are for and a real server. Replies of models are
// recorded shapes: they have the members that the public descriptions of the APIs name, and go
// through the real SDKs, which talk to a server on loopback.
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { BaseRetriever } from "@langchain/core/retrievers";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import OpenAI from "openai";
import { addressOf, citeWithin, codePoints, fromBytes, fromCodePoints, parseAddress } from "../adapters/address.ts";
import * as anthropic from "../adapters/anthropic.ts";
import * as gemini from "../adapters/gemini.ts";
import * as langchain from "../adapters/langchain.ts";
import * as llamaindex from "../adapters/llamaindex.ts";
import * as openai from "../adapters/openai.ts";
import { munimentTools } from "../adapters/vercel.ts";
import { Archive, type Cite, type Hit } from "../muniment.ts";

const archive = new Archive(process.env.MUNIMENT_URL!);
const flour = "He paid nine pounds for flour.";
const letter = async (): Promise<Hit> => (await archive.search("nine pounds flour Zürich", 1)).hits[0]!;
const statuses = async (cites: Cite[]) => (await archive.citeBatch(cites)).map((l) => l.citation?.verification_status ?? l.error!.error_type);

/** Returns the address of a server that gives one reply to every request, and the bodies that it was sent. */
async function replying(reply: unknown) {
  const sent: unknown[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => { body += part; }).on("end", () => {
      sent.push(JSON.parse(body));
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(reply));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, close: () => { server.closeAllConnections(); server.close(); } };
}

test("units and addresses", () => {
  const text = "Grüße 🙂 é"; // 9 code points, 10 units, 15 bytes
  assert.deepEqual([codePoints(text), text.length, fromBytes(text, 1000), fromCodePoints(text, 9)], [9, 10, 10, 10]);
  const bytes = new TextEncoder().encode(text);
  for (let n = 0; n <= bytes.length; n++) { // within a character: its beginning
    const whole = new TextDecoder().decode(bytes.subarray(0, n)).replace(/\ufffd+$/, "");
    assert.equal(text.slice(0, fromBytes(text, n)), whole);
  }
  const odd = { artifact: "a b/ü%", span: "p2:0-4" };
  assert.deepEqual(parseAddress(addressOf(odd)), odd);
  for (const other of ["https://example.org/", "muniment://artifact/", "muniment://artifact/%zz/p1", "muniment://bundle/1.zip"]) assert.equal(parseAddress(other), undefined);
  const passage = { artifact: "x", name: "x", span: "p2:5-14", text };
  // Half of the emoji counts as all of it, and space at the ends is no part of a quote.
  assert.deepEqual(citeWithin(passage, 7, 10, "c"), { claim: "c", artifact: "x", quote: "🙂 é", span: "p2:11-14" });
  assert.deepEqual(citeWithin(passage, 5, 7, "c"), { claim: "c", artifact: "x", quote: "🙂", span: "p2:11-12" });
  assert.equal(citeWithin({ ...passage, span: "p2" }, 6, 8, "c").span, "p2:6-7");
  for (const span of ["p2:5-90", "p2:5-p3:2"]) assert.deepEqual(citeWithin({ ...passage, span }, 6, 8, "c"), { claim: "c", artifact: "x", quote: "🙂", span });
});

test("LangChain", async () => {
  const retriever = new langchain.MunimentRetriever({ archive, k: 3 });
  assert.ok(retriever instanceof BaseRetriever);
  const documents = await retriever.invoke("mill wheel stopped");
  const document = documents[0]!;
  assert.equal(document.id, addressOf(document.metadata));
  const lines = await langchain.citationChecker(archive).invoke([
    { claim: "The mill wheel has stopped.", quote: "The mill wheel has stopped.", document },
    { claim: "The mill wheel has stopped.", quote: "The mill wheel was sold.", document },
  ]);
  assert.deepEqual(lines.map((l) => l.citation?.verification_status), ["verified", "failed"]);
  assert.equal((await retriever.pipe((found) => found.length).invoke("mill wheel")), (await archive.search("mill wheel", 3)).hits.length);
});

test("LlamaIndex", async () => {
  const [node] = await new llamaindex.MunimentRetriever(archive, 2).retrieve({ query: "mill wheel stopped" });
  assert.equal(node!.node.id_, addressOf(node!.node.metadata as Hit));
  const lines = await llamaindex.checkCitations(archive, [
    { claim: "The mill wheel has stopped.", node: node! }, { claim: "The mill wheel has stopped.", quote: "The mill wheel was sold.", node: node! }]);
  assert.deepEqual(lines.map((l) => l.citation?.verification_status), ["verified", "failed"]);
});

test("Vercel's AI SDK", async () => {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const call = (toolName: string, input: object) => ({
    content: [{ type: "tool-call" as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: "tool-calls" as const, raw: undefined }, usage, warnings: [],
  });
  const model = new MockLanguageModelV3({ doGenerate: [
    call("searchArchive", { query: "mill wheel stopped", limit: 1 }),
    call("cite", { claim: "The mill wheel has stopped.", quote: "The mill wheel has stopped." }),
    call("sealReport", { draft: "The mill wheel has stopped." }),
    { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
  ] });
  const { steps } = await generateText({ model, tools: munimentTools(archive), prompt: "Has the wheel stopped?", stopWhen: stepCountIs(5) });
  const outputs = steps.flatMap((s) => s.toolResults.map((r) => r.output)) as [Hit[], { verification_status: string }, { outcome: string }];
  assert.equal(outputs[0][0]!.name, "in/1931-03-14.txt");
  assert.deepEqual([outputs[1].verification_status, outputs[2].outcome], ["verified", "supported"]);
});

test("Anthropic's citations", async () => {
  const hit = await letter();
  const at = hit.text.indexOf(flour), points = codePoints(hit.text.slice(0, at));
  const document = (start: number, end: number) => ({
    type: "char_location", cited_text: flour, document_index: 1, document_title: hit.name, file_id: null, start_char_index: start, end_char_index: end });
  const api = await replying({
    id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn", stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      { type: "text", text: "I looked. ", citations: null },
      { type: "text", text: flour, citations: [document(points, points + flour.length), document(at, at + flour.length), document(0, 1),
        { type: "search_result_location", cited_text: hit.text, source: addressOf(hit), title: hit.name, search_result_index: 0, start_block_index: 0, end_block_index: 1 },
        { type: "search_result_location", cited_text: "x", source: "https://example.org/", title: "x", search_result_index: 1, start_block_index: 0, end_block_index: 1 },
        { ...document(0, 4), document_index: 0, document_title: "their own" }] },
    ],
  });
  const client = new Anthropic({ apiKey: "k", baseURL: api.url, maxRetries: 0 });
  const message = await client.messages.create({ model: "m", max_tokens: 9, messages: [{ role: "user", content: [
    { type: "document", source: { type: "text", media_type: "text/plain", data: "other" }, title: "their own" },
    ...anthropic.documents([hit]), ...anthropic.searchResults([hit]), { type: "text", text: "What did he pay?" }] }] });
  api.close();
  const [request] = api.sent as [{ messages: { content: { citations?: unknown; source?: unknown }[] }[] }];
  assert.deepEqual(request.messages[0]!.content.slice(1, 3).map((b) => b.citations), [{ enabled: true }, { enabled: true }]);
  const cites = anthropic.citations(message.content, [hit], 1);
  // Code points, UTF-16 units and offsets that fit neither: the cited text says which words they are.
  assert.equal(cites.length, 4);
  for (const c of cites.slice(0, 3)) assert.deepEqual(c, { ...cites[0], claim: flour, quote: flour });
  assert.equal((await archive.read(hit.artifact, { span: cites[0]!.span! })).passages[0]!.text, flour);
  assert.deepEqual(await statuses(cites), ["verified", "verified", "verified", "verified"]);
});

test("OpenAI's annotations", async () => {
  const hit = await letter();
  const text = `🙂 ${flour} ([letter](${addressOf(hit)})) The mill wheel has stopped.`;
  const link = text.indexOf("([letter"), after = text.indexOf("))") + 2;
  const url = (start_index: number, end_index: number, to = addressOf(hit)) => ({ type: "url_citation", url: to, title: hit.name, start_index, end_index });
  const annotations = [
    url(link - 1, after - 1), url(2, 2 + flour.length), url(0, 1, "https://example.org/"),
    { type: "file_citation", file_id: "file-1", filename: "1931-03-14.txt", index: codePoints(text) }, { type: "file_citation", file_id: "file-2", filename: "lost.txt", index: codePoints(text) }];
  const api = await replying({ id: "resp_1", object: "response", status: "completed", model: "m", output: [
    { type: "reasoning", id: "rs_1", summary: [] },
    { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations, logprobs: [] }] }] });
  const response = await new OpenAI({ apiKey: "k", baseURL: api.url, maxRetries: 0 }).responses.create({ model: "m", input: "What did he pay?" });
  api.close();
  const cites = await openai.citations(archive, response.output);
  assert.deepEqual(cites.map((c) => c.claim.replace("🙂 ", "")), [flour, flour, "The mill wheel has stopped.", "The mill wheel has stopped."]);
  assert.deepEqual(await statuses(cites.slice(1)), ["verified", "verified", "SourceNotFound"]);
  // In UTF-16 units the same words are one further.
  const utf16 = [{ type: "message", content: [{ type: "output_text", text, annotations: [url(3, 3 + flour.length)] }] }];
  assert.deepEqual((await openai.citations(archive, utf16, "utf16")).map((c) => c.claim), [flour]);
  // Out: each annotation covers its claim.
  const report = await archive.sealReport(`${flour}\n\nTobias Lunt repaired the mill wheel.\n`);
  const out: OpenAI.Responses.ResponseOutputText = openai.outputText(report);
  const points = [...out.text];
  const covered = out.annotations.map((a) => (a.type === "url_citation" ? points.slice(a.start_index, a.end_index).join("") : ""));
  assert.deepEqual(covered, report.claims.flatMap((c) => c.citations.map(() => c.text)));
  assert.equal(covered.length, 2);
});

test("Gemini's grounding", async () => {
  const hit = await letter(), flourHit = citeWithin(hit, hit.text.indexOf(flour), hit.text.indexOf(flour) + flour.length, "");
  const text = `Grüße 🙂! ${flour} Ende.`;
  const startIndex = Buffer.byteLength(text.slice(0, text.indexOf(flour))), endIndex = startIndex + Buffer.byteLength(flour);
  const api = await replying({ candidates: [{ content: { role: "model", parts: [{ text }] }, groundingMetadata: {
    groundingChunks: [
      { retrievedContext: { uri: addressOf(hit), title: hit.name, text: hit.text } }, { web: { uri: "https://example.org/", title: "example.org" } },
      { retrievedContext: { title: hit.name, customMetadata: [{ key: "muniment", stringValue: addressOf({ artifact: hit.artifact, span: flourHit.span! }) }] } }],
    groundingSupports: [{ segment: { startIndex, endIndex, text: flour }, groundingChunkIndices: [0, 1, 2, 9], confidenceScores: [1, 1, 1, 1] },
      { segment: { endIndex: 7, text: "Grüße" }, groundingChunkIndices: [0] }] } }] });
  const reply = await new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: api.url } }).models.generateContent({ model: "m", contents: "?" });
  api.close();
  const cites = gemini.citations(reply.candidates![0]!);
  assert.deepEqual(cites.map((c) => c.claim), [flour, flour, "Grüße"]);
  assert.deepEqual((await statuses(cites)).slice(0, 2), ["verified", "verified"]);
});
