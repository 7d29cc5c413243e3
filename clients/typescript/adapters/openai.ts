// Annotations of OpenAI's Responses API, in and out. The types name what is read and written here;
// those of the package openai fit them.
import type { Answer, Archive, Cite } from "../muniment.ts";
import { addressOf, codePoints, fromCodePoints, parseAddress } from "./address.ts";

type Annotation = { type: string; url?: string; start_index?: number; end_index?: number; index?: number; filename?: string };
type Part = { type: string; text?: string; annotations?: readonly Annotation[] };

/**
 * Returns an answer or a report as an output_text part: each claim, but no nearest passage, which asserts nothing, is annotated with its evidence, a
 * url_citation of the passage where the answer names it, else of the answer's bundle. Indices count code points.
 */
export function outputText(answer: Answer) {
  const annotations: { type: "url_citation"; url: string; title: string; start_index: number; end_index: number }[] = [];
  let text = "";
  for (const claim of answer.claims.filter((one) => one.role !== "nearest")) {
    const start = codePoints(text && (text += " "));
    text += claim.text;
    for (const { artifact, span, source, name, handle } of claim.citations) {
      const url = artifact && span ? addressOf({ artifact, span }) : `muniment://bundle/${answer.id}.html`;
      annotations.push({ type: "url_citation", url, title: source ?? name ?? handle, start_index: start, end_index: codePoints(text) });
    }
  }
  return { type: "output_text" as const, text, annotations };
}

/**
 * Returns the citations of a response's output. A url_citation counts whose URL is the address of a
 * passage; its claim is the text that it covers, or the sentence before it where it covers a link. The claim
 * of a file_citation is the sentence before its index, and its quote the passage of the file that a
 * search for the claim finds. The API does not say what its indices count: unit does.
 */
export async function citations(
  archive: Archive, output: readonly { type: string; content?: readonly unknown[] }[], unit: "codePoints" | "utf16" = "codePoints",
): Promise<Cite[]> {
  const all: Cite[] = [];
  for (const part of output.flatMap((item) => (item.type === "message" ? (item.content ?? []) as readonly Part[] : []))) {
    const text = part.text ?? "";
    const at = (index: number) => (unit === "utf16" ? index : fromCodePoints(text, index));
    const notes = (part.annotations ?? []).map((a) => {
      const start = at(a.start_index ?? a.index ?? 0), end = at(a.end_index ?? a.index ?? 0);
      return { ...a, start, end, link: start < end && isLink(text.slice(start, end), a.url) };
    });
    const sentenceAt = await sentences(archive, text, notes);
    for (const note of notes) {
      const claim = note.start < note.end && !note.link ? text.slice(note.start, note.end).trim() : sentenceAt(note.start);
      const named = note.type === "url_citation" ? parseAddress(note.url ?? "") : undefined;
      if (claim && named?.span) all.push({ claim, ...named });
      if (claim && note.type === "file_citation" && note.filename) all.push(await fromFile(archive, note.filename, claim));
    }
  }
  return all;
}

/** Reports whether an annotation covers a link to its URL, and not words of the answer. */
function isLink(covered: string, url = ""): boolean {
  return covered.includes(`](${url}`) || covered.trim() === url || /^\s*【[^】]*】\s*$/.test(covered);
}

/** Returns a function from a UTF-16 offset of text to the sentence that is there or ends there; links belong to none. */
async function sentences(archive: Archive, text: string, notes: readonly { start: number; end: number; link: boolean }[]) {
  const links = notes.filter((n) => n.link).sort((a, b) => a.start - b.start);
  let plain = "", from = 0;
  for (const { start, end } of links) {
    plain += text.slice(from, Math.max(start, from));
    from = Math.max(end, from);
  }
  plain += text.slice(from);
  const found = notes.length && plain.trim() ? (await archive.segment(plain)).sentences : [];
  return (at: number): string => {
    const cut = links.reduce((n, l) => n + Math.max(0, Math.min(l.end, at) - l.start), 0);
    const place = codePoints(plain.slice(0, at - cut));
    return (found.findLast((s) => s.start < place) ?? found[0])?.text ?? "";
  };
}

/** Returns the citation of claim by the best passage of a file, or by its own words, which the archive then judges. */
async function fromFile(archive: Archive, filename: string, claim: string): Promise<Cite> {
  const { hits } = await archive.search(claim, 100);
  const hit = hits.find((h) => h.artifact === filename || h.name === filename || h.name.endsWith("/" + filename));
  return hit ? { claim, artifact: hit.artifact, span: hit.span, quote: hit.text } : { claim, artifact: filename, quote: claim };
}
