// Tools for Vercel's AI SDK (the package ai, 6): generateText({ model, tools: munimentTools(archive), … }).
import { jsonSchema, tool } from "ai";
import type { Answer, Archive, Cite, Cited, Hit } from "../muniment.ts";

/** Returns the tools with which a model searches an archive, cites it, and seals what it wrote. */
export function munimentTools(archive: Archive) {
  return {
    searchArchive: tool({
      description: "Search the archive. Returns passages with the address (artifact, span) by which cite takes them.",
      inputSchema: input<{ query: string; limit?: number }>({ query: string, limit: { type: "integer", minimum: 1, maximum: 100 } }, "query"),
      execute: async ({ query, limit }): Promise<Hit[]> => (await archive.search(query, limit)).hits,
    }),
    cite: tool({
      description: "Register a claim with the words of the archive that support it. A failed citation says in next_call what would be right.",
      inputSchema: input<Pick<Cite, "claim" | "quote" | "artifact" | "span">>({ claim: string, quote: string, artifact: string, span: string }, "claim", "quote"),
      execute: (citation): Promise<Cited> => archive.cite(citation),
    }),
    sealReport: tool({
      description: "Seal a draft: each sentence that the archive supports stays with its evidence, the others are removed. Returns the id of the bundle.",
      inputSchema: input<{ draft: string }>({ draft: string }, "draft"),
      execute: ({ draft }): Promise<Answer> => archive.sealReport(draft),
    }),
  };
}

const string = { type: "string" } as const;

/** Returns the schema of an object with these members, some of them required. */
function input<T>(properties: NonNullable<Parameters<typeof jsonSchema>[0] extends infer S ? Extract<S, { properties?: unknown }>["properties"] : never>, ...required: string[]) {
  return jsonSchema<T>({ type: "object", properties, required, additionalProperties: false });
}
