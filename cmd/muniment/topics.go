package main

import "github.com/spf13/cobra"

// helpTopics are pages of help that belong to no command.
func helpTopics() []*cobra.Command {
	topic := func(name, short, text string) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Long: text}
	}
	return []*cobra.Command{
		topic("exit-codes", "what exit codes mean", `   0  done and fine
   1  it worked and the verdict is no: a quote that does not verify, an INVALID
      bundle, nothing found, nothing to snapshot
   2  the call is wrong
   3  partly done (inputs that could not be taken) or not checked (INCOMPLETE)
   4  not permitted
   5  the answer is a refusal, with --fail-on-refusal
   6  disk, database, git or model
  10  no archive here
  11  another process writes the archive
  12  no key, wrong key or wrong passphrase
  70  a bug
 130  interrupted`),
		topic("environment", "environment variables", `  MUNIMENT_DIR              the archive's folder, when -C is not given
  MUNIMENT_KEY              the private key to sign with, when --key is not given
  MUNIMENT_HOME             the folder of your keys; else XDG_DATA_HOME/muniment,
                            else ~/.local/share/muniment
  MUNIMENT_AUTHOR           "Name <email>" of the archivist
  MUNIMENT_INDEX            ask: the search index is brought up to date when somebody
                            searches or asks, not after every snapshot
  MUNIMENT_PASSPHRASE_FILE  a file that holds the passphrase of the private key
  SSH_AUTH_SOCK             the ssh-agent, used when no key file is found
  CITATION_REASONING_REQUIRED  when cite asks for --reasoning: none, low (only
                            with --confidence low; the default), medium, high
  CITATION_DB_URL           a PostgreSQL address that keeps the ledger; its search_path
                            names the schema. Without it: a file in the archive's folder
  CITATION_LLM_URL          an OpenAI-compatible endpoint that drafts answers, and judges
                            whether claims follow from words: http://127.0.0.1:8080/v1
  MUNIMENT_LLM_MODEL        the model to ask for
  MUNIMENT_LLM_KEY_FILE     a file that holds the endpoint's key
  MUNIMENT_LLM_TIMEOUT      how long an answer is waited for, such as 30s; 60s by default
  MUNIMENT_JUDGE_URL        another endpoint to judge in its place; MUNIMENT_JUDGE_MODEL,
                            _KEY_FILE and _TIMEOUT as above
  MUNIMENT_RERANK_URL       an endpoint with POST /rerank that orders the passages which
                            a question finds; MUNIMENT_RERANK_MODEL and so on as above
  MUNIMENT_EMBED_URL        an OpenAI-compatible endpoint that gives texts vectors:
                            searches also find the same thing in other words;
                            MUNIMENT_EMBED_MODEL, _KEY_FILE and _TIMEOUT as above
  TERM=dumb                 no progress bar`),
		topic("spans", "how places in a text are written", `A span is half open and counts Unicode code points inside a paragraph of the
canonical text, the one that muniment cat prints. Ordinals start at 1.

  p4:0-41        paragraph 4, code points 0 to 41
  p4:10-p6:3     from paragraph 4 into paragraph 6
  l118:0-20      line 118: tables and transcripts are cited by line
  p4             with --span: anywhere in paragraph 4
  meta:title:0-9 a field of the record

Paragraphs are what one or more empty lines separate; lines are lines.`),
		topic("json", "what --json prints", `Every command takes --json and prints one document on stdout. Its first member is
"schema": "muniment.<name>.v1"; times are RFC 3339 UTC, ids are CIDs, offsets are
code points. A command that fails before it has a result prints
{"schema":"muniment.error.v1", "error_type", "message", "suggestion",
"partial_result", "exit_code"}; the two lines on stderr are always there.

muniment help json NAME prints the JSON Schema (2020-12) of the message NAME, with
all its members; docs/schema of the source holds them too. The names:

`+messageNames()),
	}
}
