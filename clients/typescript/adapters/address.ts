// Addresses of passages, and the units in which programs count places in a text: Muniment counts
// code points, JavaScript UTF-16 units, Gemini bytes of UTF-8.
import type { Cite } from "../muniment.ts";

/** A passage with its address: a Hit of a search is one. */
export type Addressed = { artifact: string; name: string; span: string; text: string };

/** Returns the address of a passage, the name of its resource in the Model Context Protocol. */
export function addressOf(passage: { artifact: string; span: string }): string {
  return `muniment://artifact/${encodeURIComponent(passage.artifact)}/${passage.span}`;
}

/** Returns what an address names, or undefined where it is none of an artifact. */
export function parseAddress(uri: string): { artifact: string; span?: string } | undefined {
  const [, artifact, span] = /^muniment:\/\/artifact\/([^/?#]+)(?:\/([^/?#]+))?$/.exec(uri) ?? [];
  if (!artifact) return undefined;
  try {
    return { artifact: decodeURIComponent(artifact), ...(span && { span }) };
  } catch { // a % that begins no escape
    return undefined;
  }
}

/** Returns the number of code points of a text. */
export function codePoints(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}

/** Returns the UTF-16 offset at which the first n code points of a text end. */
export function fromCodePoints(text: string, n: number): number {
  let units = 0;
  for (const c of text) {
    if (n-- <= 0) break;
    units += c.length;
  }
  return units;
}

/** Returns the UTF-16 offset at which the first n bytes of a text in UTF-8 end; within a character it is that of its beginning. */
export function fromBytes(text: string, n: number): number {
  let units = 0;
  for (const c of text) {
    const point = c.codePointAt(0)!;
    n -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (n < 0) break;
    units += c.length;
  }
  return units;
}

/**
 * Returns the citation of claim by the UTF-16 units start to end of a passage's text, without
 * the space around them. Its span is that of the words where the text is all that the span of the
 * passage says, else the passage's own: the server looks for the quote there.
 */
export function citeWithin(passage: Addressed, start: number, end: number, claim: string): Cite {
  const { text, artifact } = passage;
  if (isInside(text, start)) start--;
  if (isInside(text, end)) end++;
  const words = text.slice(start, end), quote = words.trim();
  start += words.length - words.trimStart().length;
  const [, unit, from = "0", to] = /^([pl]\d+)(?::(\d+)-(\d+))?$/.exec(passage.span) ?? [];
  const whole = unit && (to === undefined || Number(to) - Number(from) === codePoints(text));
  if (!whole || !quote) return { claim, artifact, span: passage.span, quote: quote || text };
  const first = Number(from) + codePoints(text.slice(0, start));
  return { claim, artifact, quote, span: `${unit}:${first}-${first + codePoints(quote)}` };
}

/** Reports whether an offset lies between the two units of one character. */
function isInside(text: string, at: number): boolean {
  const point = at > 0 ? text.codePointAt(at - 1) : undefined;
  return point !== undefined && point > 0xffff && at < text.length;
}
