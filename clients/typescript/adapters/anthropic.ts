// Citations of Anthropic's Messages API: passages go out as search results or documents with
// citations enabled, and the locations that a model cites come back as citations of ours. The
// types name what is read and written here; those of @anthropic-ai/sdk fit them.
import type { Cite } from "../muniment.ts";
import { addressOf, citeWithin, fromCodePoints, parseAddress, type Addressed } from "./address.ts";

type Location = {
  type: string; cited_text?: string; source?: string; document_index?: number; document_title?: string | null;
  start_char_index?: number; end_char_index?: number;
};

/** Returns search_result blocks, one for each passage: a citation of one names its address. */
export function searchResults(passages: readonly Addressed[]) {
  return passages.map((p) => ({
    type: "search_result" as const, source: addressOf(p), title: p.name,
    content: [{ type: "text" as const, text: p.text }], citations: { enabled: true },
  }));
}

/** Returns document blocks, one for each passage: a model cites sentences of them. */
export function documents(passages: readonly Addressed[]) {
  return passages.map((p) => ({
    type: "document" as const, source: { type: "text" as const, media_type: "text/plain" as const, data: p.text },
    title: p.name, context: addressOf(p), citations: { enabled: true },
  }));
}

/**
 * Returns the citations of a reply's content, in order: the text of a block is the claim, and
 * what it cites the quote. passages are those that went out; firstDocument is the number of documents
 * in the request before them. What cites other sources is left out.
 */
export function citations(
  content: readonly { type: string; text?: string; citations?: readonly Location[] | null }[], passages: readonly Addressed[], firstDocument = 0,
): Cite[] {
  return content.flatMap((block) =>
    (block.citations ?? []).flatMap((at) => {
      const claim = (block.text ?? "").trim();
      const passage = at.type === "search_result_location" ? bySource(at, passages) : byDocument(at, passages, firstDocument);
      return passage && claim ? [citeWithin(passage, ...wordsOf(at, passage.text), claim)] : [];
    }));
}

function bySource(at: Location, passages: readonly Addressed[]): Addressed | undefined {
  const named = parseAddress(at.source ?? "");
  return named && passages.find((p) => p.artifact === named.artifact && p.span === named.span);
}

function byDocument(at: Location, passages: readonly Addressed[], first: number): Addressed | undefined {
  const passage = at.document_index === undefined ? undefined : passages[at.document_index - first];
  return passage?.name === (at.document_title ?? passage?.name) ? passage : undefined;
}

/** Returns the UTF-16 units of the words that a location cites. The API does not say what it counts: the cited text decides. */
function wordsOf(at: Location, text: string): [number, number] {
  const cited = at.cited_text ?? text;
  const { start_char_index: start, end_char_index: end } = at;
  if (start !== undefined && end !== undefined) {
    const from = fromCodePoints(text, start), to = fromCodePoints(text, end);
    if (text.slice(from, to) === cited) return [from, to];
    if (text.slice(start, end) === cited) return [start, end];
  }
  const found = text.indexOf(cited.trim());
  return found < 0 ? [0, text.length] : [found, found + cited.trim().length];
}
