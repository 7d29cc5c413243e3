// An agent that answers a question from an archive, cites what it says, seals a report, and mails it.
//     node agent.ts "Who repaired the mill wheel?" ada@example.org
// MUNIMENT_URL and MUNIMENT_TOKEN name the server, SMTP_URL the mail server. Node 22.18 or later runs it.
import { createTransport } from "nodemailer";
import { Archive, MunimentError, type Answer } from "../muniment.ts";

const { MUNIMENT_URL = "http://127.0.0.1:8437", MUNIMENT_TOKEN: token, SMTP_URL = "smtp://127.0.0.1:25" } = process.env;
const archive = new Archive(MUNIMENT_URL, { token });

/** Returns a draft and the notes on it: each sentence of the answer, cited; what the archive does not bear out is in the notes alone. */
async function write(answer: Answer): Promise<{ draft: string; notes: string[] }> {
  const sentences: string[] = [], notes = answer.removed.map((r) => `left out: ${r.topic} (${r.reason})`);
  for (const { text, role, citations } of answer.claims) {
    const claim = text.replace(/^“|”$/g, "");
    if (role !== "answer") continue;
    for (const { quote, source } of citations) {
      const cited = await archive.cite({ claim, quote, session: answer.id }, { follow: true });
      notes.push(`${cited.verification_status}: “${quote}” (${cited.name || source}) ${cited.citation}`);
      if (cited.verification_status === "verified" && !sentences.includes(claim)) sentences.push(claim);
    }
  }
  return { draft: sentences.join("\n\n"), notes };
}

const [question = "", to = ""] = process.argv.slice(2);
try {
  const answer = await archive.ask(question);
  const { draft, notes } = answer.unanswered ? { draft: "", notes: [] } : await write(answer);
  if (!draft) throw new Error(answer.refusal?.message || "the archive has no answer that it can prove");
  const report = await archive.sealReport(draft);
  const bundle = Buffer.from(await archive.bundle(report.id));
  await createTransport(SMTP_URL).sendMail({
    from: "agent@archive.invalid", to, subject: question.replace(/\s+/g, " "),
    text: [...report.claims.map((c) => c.text), "", ...notes, "", "To check it: muniment verify report.zip --trust FILE"].join("\n"),
    attachments: [{ filename: "report.zip", content: bundle, contentType: "application/zip" }],
  });
  console.log(`mailed to ${to}: ${report.outcome}, ${report.claims.length} claims, bundle ${report.id}`);
} catch (error) {
  console.error(error instanceof MunimentError ? `${error.detail}; ${error.suggestion}` : String(error));
  process.exitCode = 1;
}
