// A retriever and a citation checker for LangChain (@langchain/core 1).
import { Document, type DocumentInterface } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { RunnableLambda } from "@langchain/core/runnables";
import type { Archive, Hit, Line } from "../muniment.ts";
import { addressOf } from "./address.ts";

/** The metadata of a document that the retriever returns; source is the passage's address. */
export type Metadata = Pick<Hit, "artifact" | "name" | "span" | "score" | "date"> & { source: string };

/** A retriever of the passages of an archive, at most k of them. */
export class MunimentRetriever extends BaseRetriever<Metadata> {
  lc_namespace = ["muniment"];
  readonly #archive: Archive;
  readonly #k: number;

  constructor(fields: BaseRetrieverInput & { archive: Archive; k?: number }) {
    super(fields);
    this.#archive = fields.archive;
    this.#k = fields.k ?? 10;
  }

  override async _getRelevantDocuments(query: string): Promise<DocumentInterface<Metadata>[]> {
    const { hits } = await this.#archive.search(query, this.#k);
    return hits.map(({ text, artifact, name, span, score, date }) => {
      const source = addressOf({ artifact, span });
      return new Document<Metadata>({ id: source, pageContent: text, metadata: { source, artifact, name, span, score, date } });
    });
  }
}

/** A claim that a model quotes a document for. */
export type Quoted = { claim: string; quote: string; document: DocumentInterface<Pick<Metadata, "artifact" | "span">> };

/** Returns a runnable that registers what a model quotes of the retriever's documents and returns a line for each: its verdict, or its error. */
export function citationChecker(archive: Archive): RunnableLambda<Quoted[], Line[]> {
  return RunnableLambda.from((quoted: Quoted[]) =>
    archive.citeBatch(quoted.map(({ claim, quote, document: { metadata } }) => ({ claim, quote, artifact: metadata.artifact, span: metadata.span }))));
}
