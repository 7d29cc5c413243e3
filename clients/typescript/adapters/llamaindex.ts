// A retriever and a citation checker for LlamaIndex (@llamaindex/core 0.6).
import type { QueryBundle } from "@llamaindex/core/query-engine";
import { BaseRetriever } from "@llamaindex/core/retriever";
import { MetadataMode, TextNode, type NodeWithScore } from "@llamaindex/core/schema";
import { extractText } from "@llamaindex/core/utils";
import type { Archive, Line } from "../muniment.ts";
import { addressOf } from "./address.ts";

/** A retriever of the passages of an archive, at most k of them. The id of a node is the passage's address. */
export class MunimentRetriever extends BaseRetriever {
  readonly #archive: Archive;
  readonly #k: number;

  constructor(archive: Archive, k = 10) {
    super();
    this.#archive = archive;
    this.#k = k;
  }

  override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const { hits } = await this.#archive.search(extractText(query), this.#k);
    return hits.map(({ text, artifact, name, span, score, date }) => ({
      node: new TextNode({ id_: addressOf({ artifact, span }), text, metadata: { artifact, name, span, ...(date && { date }) } }), score,
    }));
  }
}

/** Registers each claim with what it quotes of a node, all of it where no quote is given, and returns a line for each: its verdict, or its error. */
export function checkCitations(archive: Archive, quoted: readonly { claim: string; quote?: string; node: NodeWithScore }[]): Promise<Line[]> {
  return archive.citeBatch(quoted.map(({ claim, quote, node: { node } }) =>
    ({ claim, quote: quote ?? node.getContent(MetadataMode.NONE), artifact: node.metadata.artifact, span: node.metadata.span })));
}
