/**
 * A client of a Muniment server, in one file, without dependencies: it needs fetch (Node 20 or
 * later, browsers, Deno, Bun).
 *
 *     import { Archive } from "./muniment.ts";
 *
 *     const archive = new Archive("http://127.0.0.1:8437");
 *     const [hit] = (await archive.search("mill wheel")).hits;
 *     const cited = await archive.cite({ claim: "The mill wheel has stopped.", quote: hit.text, artifact: hit.artifact });
 *     const report = await archive.sealReport("The mill wheel has stopped.");
 *     await writeFile("report.zip", await archive.bundle(report.id));
 *
 * Replies are the objects that the server sent; the types below name their members, and a later
 * server may send more. A verdict of no is a reply. A call that could not be done is a
 * MunimentError. Offsets count code points, and not UTF-16 units as JavaScript's strings do.
 *
 * Each POST carries an Idempotency-Key of its own, so that the same call may be sent again: on 429
 * and 503, after the time that Retry-After names, and when the reply was lost.
 */

export type Status = "verified" | "failed" | "pending" | "unverified";
export type ClaimVerdict = "" | "follows" | "contradicted" | "not_shown" | "judged";
export type Outcome = "supported" | "narrowed" | "labeled" | "refused";

/** A call that runs as it is sent back: Archive.follow makes it. */
export type NextCall = { tool: string; method: string; path: string; arguments: Record<string, unknown> };

/** A passage that a search found: text is what span of artifact says. */
export type Hit = {
  artifact: string; name: string; span: string; text: string; score: number; similarity: number;
  date?: string; locator?: Record<string, string>;
};

/** The reply to a search, best hit first. */
export type Found = { query: string; snapshot: string; hits: Hit[]; index_notice?: string };

/** A paragraph, or the part of one, with its address. */
export type Passage = { span: string; text: string };

/** The reply to a read. Where next_paragraph is there, the paper goes on at it. */
export type Text = { artifact: string; name: string; passages: Passage[]; clipped: boolean; next_paragraph?: number };

/** A citation to register: artifact by id or name, span the place where to look. */
export type Cite = {
  claim: string; quote?: string; artifact?: string; span?: string; session?: string; source?: number;
  relation?: "direct_quote" | "paraphrase" | "inference_from" | "metadata_fact" | "aggregation"; reasoning?: string;
};

/** The verdict on a citation: of a failed one, nearest and next_call say how to mend it. */
export type Cited = {
  citation_id: number; citation: string; verification_status: Status;
  match: "" | "exact" | "normalized" | "fuzzy" | "ambiguous" | "absent" | "none";
  artifact: string; name: string; summary_note: string;
  claim_verdict?: ClaimVerdict; span?: string; quote?: string; reason?: string; suggestion?: string;
  nearest?: Passage; next_call?: NextCall; repeated?: boolean;
};

/** The error that a reply describes (RFC 9457). */
export type Fault = {
  status: number; error_type: string; detail: string; suggestion: string; request_id?: string;
  retry_after?: number; next_call?: NextCall; partial_result?: unknown; errors?: { location: string; message: string }[] | null;
};

/** One line of a batch: its citation, or the error that it gave. */
export type Line = { line: number; citation?: Cited; error?: Fault };

/** The evidence of a claim of an answer. */
export type AnswerCitation = {
  handle: string; label: string; quote: string; relation: string;
  artifact?: string; name?: string; source?: string; span?: string;
};

/** A claim of an answer or a report, with its evidence. */
export type AnswerClaim = { text: string; role: "answer" | "nearest"; rung: "" | Outcome; citations: AnswerCitation[] };

/** A sealed answer or report: Archive.bundle(answer.id) is its evidence. */
export type Answer = {
  id: string; outcome: Outcome; claims: AnswerClaim[]; removed: { topic: string; reason: string }[];
  refusal: { kind: string; message: string } | null; snapshot: string; unanswered: boolean; question?: string;
};

/** A draft, held against the citations on file: text is what stays of it. */
export type Checked = {
  text: string; decision: string; profile: string;
  findings: { section: string; bullet: number; action: string; fault: string; text: string; reason: string }[];
  report: { total_bullets: number; cited_bullets: number; removed_bullets: number; validation_passed: boolean };
};

/** A quotation of an examined document, and what the archive says of it. */
export type Quotation = {
  item: number; kind: string; text: string; sentence: string; reason: string; suggestion?: string;
  verdict: "nowhere" | "altered" | "cut" | "stitched" | "elsewhere" | "uncheckable" | "scholarly" | "exact";
};

/** The examination of a document, quotation by quotation. */
export type Examined = { items: Quotation[]; counts: Record<string, number>; id?: string };

/** A text in sentences; start and end count code points. */
export type Segmented = { lang: string; sentences: { start: number; end: number; text: string }[] };

/** The verdict on a bundle, under the trust that the server goes by. */
export type Verified = { verdict: string; question: string; axes: { name: string; result: string; reason: string }[] };

/**
 * A call that was not done. error_type is a kind of the library such as "SourceNotFound";
 * "Unreachable" where no reply came, with status 0; "NotMuniment" where what came is no reply of
 * a server of ours. suggestion says what to do, request_id names the call in the server's log.
 */
export class MunimentError extends Error {
  override name = "MunimentError";
  readonly fault: Fault;
  constructor(fault: Fault, cause?: unknown) {
    super([fault.error_type, fault.detail, fault.suggestion].filter(Boolean).join(": "), { cause });
    this.fault = fault;
  }
  get status() { return this.fault.status; }
  get error_type() { return this.fault.error_type; }
  get detail() { return this.fault.detail; }
  get suggestion() { return this.fault.suggestion; }
  get request_id() { return this.fault.request_id ?? ""; }
  get next_call() { return this.fault.next_call; }
}

/** patience is the longest time, in ms, that one call waits before it is sent again; timeout, in ms, is that of one attempt. */
export type Options = { token?: string; patience?: number; timeout?: number };

/** The archive that a server serves at url, for the holder of a token. */
export class Archive {
  readonly #base: string;
  readonly #options: Options;

  constructor(url: string, options: Options = {}) {
    this.#base = url.replace(/\/+$/, "") + "/api/v1";
    this.#options = options;
  }

  /** Returns what is served, and who the caller is. */
  status(): Promise<{ archive: string; name: string; role: string; tier: string; ask: boolean }> {
    return this.#call("GET", "/status");
  }

  /** Returns passages that match the words of query, best first. */
  search(query: string, limit = 10): Promise<Found> {
    return this.#call("GET", "/search", { query, limit });
  }

  /** Returns paragraphs of an artifact, given by id or name, or what a span such as p4:0-41 says. */
  read(artifact: string, where: { span?: string; from_paragraph?: number } = {}): Promise<Text> {
    return this.#call("GET", `/artifacts/${encodeURIComponent(artifact)}/text`, where);
  }

  /**
   * Registers a claim with its quote and returns the verdict. With follow, a citation that failed
   * is made again as the reply's next call has it, and the verdict of that one is returned.
   */
  async cite(citation: Cite, { follow = false } = {}): Promise<Cited> {
    const cited = await this.#call<Cited>("POST", "/cite", citation);
    return follow && cited.next_call?.tool === "cite" ? this.follow<Cited>(cited.next_call) : cited;
  }

  /** Registers up to 1,000 citations and returns a line for each, in order. */
  async citeBatch(citations: Cite[]): Promise<Line[]> {
    return (await this.#call<{ results: Line[] }>("POST", "/cite/batch", { citations })).results;
  }

  /** Holds a draft in markdown against the citations on file. */
  check(draft: string, others: { profile?: string; session?: string } = {}): Promise<Checked> {
    return this.#call("POST", "/check", { draft, ...others });
  }

  /** Answers a question from the archive and seals the answer. */
  ask(question: string, others: { profile?: string } = {}): Promise<Answer> {
    return this.#call("POST", "/answers", { question, ...others });
  }

  /** Finds the evidence of each sentence of a draft, removes the others, and seals what stays. */
  sealReport(draft: string, others: { profile?: string } = {}): Promise<Answer> {
    return this.#call("POST", "/reports", { draft, ...others });
  }

  /** Compares each quotation of a document, text or the bytes of a file called name, with the archive. */
  examine(document: string | Uint8Array, name?: string): Promise<Examined> {
    const content = typeof document === "string" ? { text: document } : { data: base64(document) };
    return this.#call("POST", "/examinations", { ...content, name });
  }

  /** Returns the sentences of a text. */
  segment(text: string): Promise<Segmented> {
    return this.#call("POST", "/segment", { text });
  }

  /** Returns the signed bundle, a zip, of the answer, the report or the examination with an id. */
  async bundle(id: string): Promise<Uint8Array<ArrayBuffer>> {
    const path = `/${encodeURIComponent(id)}.zip`;
    const reply = await this.#send("GET", "/answers" + path).catch((error) => {
      if (error instanceof MunimentError && error.status === 404) return this.#send("GET", "/examinations" + path);
      throw error;
    });
    return new Uint8Array(reply);
  }

  /** Returns the verdict on a bundle, which may be another archive's. */
  async verify(bundle: Uint8Array<ArrayBuffer>): Promise<Verified> {
    return decode(await this.#send("POST", "/verify", bundle, "application/zip"));
  }

  /** Makes the next call of a reply or of an error, and returns its reply. */
  follow<T = unknown>(call: NextCall): Promise<T> {
    return this.#call(call.method, call.path.replace(/^\/api\/v1/, ""), call.arguments);
  }

  /** Returns the reply to a call. Arguments that are undefined are left out. */
  async #call<T>(method: string, path: string, args: Record<string, unknown> = {}): Promise<T> {
    if (method !== "GET") return decode(await this.#send(method, path, JSON.stringify(args), "application/json"));
    const query = new URLSearchParams(Object.entries(args).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])));
    return decode(await this.#send("GET", query.size ? `${path}?${query}` : path));
  }

  /** Returns the body of the reply, once it came; the call is sent again while that may help. */
  async #send(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type = ""): Promise<ArrayBuffer> {
    const { token, patience = 60_000, timeout = 120_000 } = this.#options;
    const headers: Record<string, string> = token ? { Authorization: "Bearer " + token } : {};
    if (body !== undefined) Object.assign(headers, { "Content-Type": type, "Idempotency-Key": newKey() });
    for (let left = patience, pause = 250; ; pause = Math.min(2 * pause, 8000)) {
      const got = await attempt(this.#base + path, { method, headers, body, signal: AbortSignal.timeout(timeout), redirect: "error" });
      if ("reply" in got) return got.reply;
      const wait = got.retryAfter ?? pause;
      if (!got.again || wait > left) throw got.error;
      await new Promise((done) => setTimeout(done, wait));
      left -= wait;
    }
  }
}

/** Busy replies of the server, and those of a proxy whose server is away. */
const busy = new Set([429, 502, 503, 504]);

/** Returns the whole reply to one attempt, or its error and whether the same call may be sent again, after a time in ms. */
async function attempt(url: string, request: RequestInit): Promise<{ reply: ArrayBuffer } | { error: MunimentError; again: boolean; retryAfter?: number }> {
  try {
    const reply = await fetch(url, request);
    const body = await reply.arrayBuffer();
    if (reply.ok) return { reply: body };
    return { error: problem(reply, body), again: busy.has(reply.status), retryAfter: milliseconds(reply.headers.get("Retry-After")) };
  } catch (cause) { // no connection, no whole reply, a redirect
    const why = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : "") || cause.message : String(cause);
    const detail = `no reply came from ${url.split("?")[0]}: ${why}`;
    const fault = { status: 0, error_type: "Unreachable", detail, suggestion: "see that muniment serve runs there" };
    return { error: new MunimentError(fault, cause), again: why !== "unexpected redirect" };
  }
}

/** Returns the error that a reply with another status than 200 describes. */
function problem(reply: Response, body: ArrayBuffer): MunimentError {
  try {
    const fault = decode<Fault>(body);
    if (typeof fault.error_type === "string" && typeof fault.detail === "string") return new MunimentError({ ...fault, status: reply.status });
  } catch { /* it is no JSON */ }
  const detail = `${reply.url} replied ${reply.status} without a problem document`;
  return new MunimentError({ status: reply.status, error_type: "NotMuniment", detail, suggestion: "see that the URL is that of muniment serve" });
}

/** Returns the time that a Retry-After asks for, in seconds or as a date, in ms. */
export function milliseconds(header: string | null): number | undefined {
  if (!header) return undefined;
  const wait = /^\d+$/.test(header) ? 1000 * Number(header) : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Returns the value of a JSON reply; a page of some other server is none. */
function decode<T>(body: ArrayBuffer): T {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as T;
  } catch {
    throw new MunimentError({ status: 200, error_type: "NotMuniment", detail: "a reply came that is no JSON", suggestion: "see that the URL is that of muniment serve" });
  }
}

/** Returns 128 random bits. crypto.randomUUID is missing on pages that did not come by https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary);
}
