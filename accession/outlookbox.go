package accession

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strings"

	"muniment/accession/pst"
	"muniment/archive/problem"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// The facts of a mail that a program took out of a file of Outlook.
const (
	factBox         = "outlook_file" // its name
	factConvertedBy = "converted_by" // the program, with its version
)

// isOutlookBox reports whether an input is a file in which Outlook keeps mails.
func isOutlookBox(in Input) bool {
	name := strings.ToLower(in.Name)
	return (strings.HasSuffix(name, ".pst") || strings.HasSuffix(name, ".ost")) && pst.Begins(in.Path)
}

// unpackOutlook returns the file of Outlook itself, which is kept as it is, and the mails in
// it, each named by its folder. Where nothing can take them out a skip says so.
func unpackOutlook(ctx context.Context, in Input) (out []Input, skips []Skip, c io.Closer) {
	out = []Input{in}
	tool, err := pst.Find()
	if err != nil {
		skip := Skip{Path: in.Name, Reason: err.Error() + ": the mails in it are not taken out; it is kept as it is", Next: problem.Advise(pst.Install)}
		return out, []Skip{skip}, nil
	}
	box, err := tool.Extract(ctx, in.Path)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return out, nil, nil
		}
		return out, []Skip{{Path: in.Name, Reason: "the mails in it cannot be taken out: " + legible.Reason(err) + "; it is kept as it is"}}, nil
	}
	out[0].whole = &wholeFile{wanted: true}
	more, skips := mailInputs(out[0], box, tool.Name())
	return append(out, more...), skips, box
}

// mailInputs returns the mails of a file of Outlook as inputs. An empty one is a skip.
func mailInputs(in Input, box *pst.Box, by string) (out []Input, skips []Skip) {
	for _, f := range box.Files {
		name, encoded := record.EncodeName(path.Join(in.Name, f.Path))
		if f.Size == 0 {
			skips = append(skips, Skip{Path: name, Reason: "it is empty"})
			continue
		}
		out = append(out, Input{Path: in.Path, Name: name, Encoded: encoded || in.Encoded, within: in.whole, Facts: map[string]string{factBox: in.Name, factConvertedBy: by},
			Fetch: fetchSteady(ContentFetcher(f.Size, func() (io.ReadCloser, error) { return os.Open(f.At) }))})
	}
	return out, skips
}

// fetchSteady returns a Fetch whose mails are equal bytes each time that readpst writes
// them. One that is not in memory stays as it is.
func fetchSteady(fetch func(context.Context) (Body, error)) func(context.Context) (Body, error) {
	return func(ctx context.Context) (Body, error) {
		got, err := fetch(ctx)
		got.Data = pst.Steady(got.Data)
		return got, err
	}
}
