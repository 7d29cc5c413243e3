// Compiled, never run: the types of the client are those of the OpenAPI document, from which
// openapi-typescript makes api.ts for the test. A member that the document lacks, requires
// where the client does not, or gives another type, is an error of the compiler.
import type { components } from "./api.ts";
import type * as ours from "../muniment.ts";

/** The names of the client's types with their schemas. */
type Replies = {
  NextCall: [ours.NextCall, "NextCall"]; Hit: [ours.Hit, "SearchHit"]; Found: [ours.Found, "SearchResult"]; Passage: [ours.Passage, "Passage"];
  Text: [ours.Text, "ReadReply"]; Cited: [ours.Cited, "CiteReply"]; Line: [ours.Line, "CiteLine"]; Fault: [ours.Fault, "Fault"];
  AnswerCitation: [ours.AnswerCitation, "AnswerResultCitation"]; AnswerClaim: [ours.AnswerClaim, "AnswerResultClaim"]; Answer: [ours.Answer, "AskReply"];
  Checked: [ours.Checked, "DraftCheckResult"]; Quotation: [ours.Quotation, "ExaminationItem"]; Examined: [ours.Examined, "ExamineReply"];
  Segmented: [ours.Segmented, "DraftSegmentResult"]; Verified: [ours.Verified, "AuditBundleVerdict"];
};

/** A schema without null in its lists: the document lets each be null, and the server sends none that is. */
type Lists<T> = T extends null ? never : T extends (infer E)[] ? Lists<E>[] : T extends object ? { [K in keyof T]: K extends "refusal" ? T[K] : Lists<T[K]> } : T;

type Schema<Name extends string> = Lists<components["schemas"][Name & keyof components["schemas"]]>;

/** The schemas that are not assignable to the client's type: none. */
type Wrong = { [Name in keyof Replies]: Schema<Replies[Name][1]> extends Replies[Name][0] ? never : Name }[keyof Replies];

/** The types with a member that the schema lacks: none. */
type Unknown = { [Name in keyof Replies]: keyof Replies[Name][0] extends keyof Schema<Replies[Name][1]> ? never : Name }[keyof Replies];

const wrong: Wrong[] = [], unknown: Unknown[] = [];
export const none: never[] = [...wrong, ...unknown];

export const request = (citation: ours.Cite): components["schemas"]["CiteRequest"] => citation;
