package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// doorFolders are the packages of which something leaves the archive.
var doorFolders = []string{"server", "handover", "engine", "draft", "answer", "cmd/muniment", "archive/search", "archive/inventory"}

// bypasses are the calls that read a tree as it is: its catalogue, and bytes of papers.
var bypasses = []string{"Catalog", "Peek", "Payload", "PayloadContent", "OriginalContent"}

// doors are the files that read a tree past policy.View and its catalogue, each with what
// keeps it from showing what is hidden. Every other file has a catalogue that CatalogFor
// returned and artifacts from it.
var doors = map[string]string{
	"archive/inventory/cat.go":   "cat, for whoever holds the archive",
	"archive/inventory/list.go":  "ls, for whoever holds the archive",
	"archive/inventory/show.go":  "show, for whoever holds the archive",
	"archive/inventory/table.go": "ls --long, for whoever holds the archive",
	"archive/search/coverage.go": "an index is of everything; a search hides",
	"archive/search/index.go":    "an index is of everything; a search hides",
	"archive/search/update.go":   "an index is of everything; a search hides",
	"answer/refusals.go":         "the totals of a report for whoever holds the archive",
	"answer/wiring.go":           "the pipeline decides by its viewer before anything is drafted",
	"engine/claimverdict.go":     "names of the paper for the judge, which are shown to nobody",
	"engine/reviewing.go":        "words for whoever holds the archive; Reviews.Queue filters by the reader's View",
	"engine/reviewqueue.go":      "words for whoever holds the archive; Reviews.Queue filters by the reader's View",
	"engine/addsources.go":       "what the call itself has taken in",
	"engine/events/events.go":    "what a snapshot withdrew, for those who audit; the server asks the View of each reader",
	"engine/importcitations.go":  "a model's answer, taken in by whoever holds the archive",
	"engine/register.go":         "what is sealed is the same for every caller",
	"engine/sealing.go":          "what is sealed is the same for every caller",
	"handover/bag.go":            "originals that keepWhole kept",
	"handover/contents.go":       "bytes that keepWhole kept, or decides of",
	"handover/webarchive.go":     "originals that keepWhole kept",
	"server/holdings.go":         "a shelf for all clients, of which a sight shows what one may know",
	"server/lasting.go":          "which paper ten signs mean, of which the caller's View then says whether it may be known",
	"server/original.go":         "an original that mayHaveOriginal allows",
	"server/reading.go":          "the history of what resolve found",
	"server/visible.go":          "the view of a client itself",
}

// Whatever leaves the archive is read through a View: a file that reads a tree in another way
// is named with its reason.
func TestDoors(t *testing.T) {
	found, files := map[string]bool{}, 0
	for _, folder := range doorFolders {
		root := filepath.Join("..", "..")
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if name, err := filepath.Rel(root, path); err == nil && readsPast(f) {
				found[filepath.ToSlash(name)] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range found {
		if doors[name] == "" {
			t.Errorf("%s reads a tree past its View: use CatalogFor or View, or say in the table why not", name)
		}
	}
	for name := range doors {
		if !found[name] {
			t.Errorf("%s reads no tree past its View any more: take it out of the table", name)
		}
	}
	if files < 150 {
		t.Errorf("%d files were read", files)
	}
}

// readsPast reports whether a file calls one of bypasses, of anything but an engine, whose
// catalogue is that of its reader.
func readsPast(f *ast.File) (does bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		to, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(bypasses, to.Sel.Name) {
			return true
		}
		switch of := to.X.(type) {
		case *ast.Ident:
			does = does || of.Name != "e"
		case *ast.SelectorExpr: // the engine of Sources, Citations and Reviews
			does = does || of.Sel.Name != "e"
		default:
			does = true
		}
		return true
	})
	return does
}
