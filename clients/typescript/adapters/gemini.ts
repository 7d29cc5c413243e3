// Grounding metadata of Gemini, in. A chunk counts whose uri, or whose custom metadata "muniment",
// is the address of a passage. The types name what is read here; those of @google/genai fit them.
import type { Cite } from "../muniment.ts";
import { fromBytes, parseAddress } from "./address.ts";

type Context = { uri?: string; text?: string; customMetadata?: readonly { key?: string; stringValue?: string }[] };
type Candidate = {
  content?: { parts?: readonly { text?: string }[] };
  groundingMetadata?: {
    groundingChunks?: readonly { retrievedContext?: Context; web?: Context }[];
    groundingSupports?: readonly {
      groundingChunkIndices?: readonly number[];
      segment?: { partIndex?: number; startIndex?: number; endIndex?: number; text?: string };
    }[];
  };
};

/**
 * Returns the citations of a candidate: the segment of a support, in bytes of its part, is the
 * claim, and what each of its chunks says the quote; of a chunk without a text, what its span says.
 */
export function citations(candidate: Candidate): Cite[] {
  const { groundingChunks = [], groundingSupports = [] } = candidate.groundingMetadata ?? {};
  return groundingSupports.flatMap(({ segment = {}, groundingChunkIndices = [] }) => {
    const text = candidate.content?.parts?.[segment.partIndex ?? 0]?.text ?? "";
    const covered = text.slice(fromBytes(text, segment.startIndex ?? 0), fromBytes(text, segment.endIndex ?? 0));
    const claim = (covered || segment.text || "").trim();
    return groundingChunkIndices.flatMap((i) => {
      const from = groundingChunks[i]?.retrievedContext ?? groundingChunks[i]?.web;
      const named = parseAddress(from?.customMetadata?.find((m) => m.key === "muniment")?.stringValue ?? from?.uri ?? "");
      const quote = from?.text?.trim();
      return claim && named && (quote || named.span) ? [{ claim, ...named, ...(quote && { quote }) }] : [];
    });
  });
}
