// Package examination looks up the quotations of a finished text in archives and says what each is worth.
//
//	r, err := examination.Examine(ctx, examination.Input{Name: "brief.md", Data: data}, examination.Options{Places: []examination.Place{{Archive: a}}})
//	for _, item := range r.Items {
//		fmt.Println(item.At.Line, item.Verdict, item.Text)
//	}
//
// Examine and Report.Err are what most callers need. Package draft/examine finds the quotations and compares words,
// package judge says whether the sentence that uses a quotation follows from it; this package looks in every paper that
// the caller may see and combines the two. It writes nothing.
//
// # Verdicts
//
//	exact        the paper named has the words, typography apart
//	scholarly    and differs only by what scholars may change: brackets, an ellipsis, modern spelling
//	altered      a word, number, name, date or negation is another
//	cut          the words are there, and a denial, condition or report around them is left out
//	stitched     two places are run together as one
//	elsewhere    the words are in another paper than the one named
//	nowhere      no paper open to the caller has them, and the source named is here or the scope is declared complete
//	uncheckable  the source named is not here, or none is named
//
// Where several fit the first of altered, cut, stitched, elsewhere is the verdict and the others are in Also. No
// verdict says that something is true.
//
// A statement in the writer's own words that names its source is an item where a paper says it in these words, or where a number, day, unit or
// denial of it differs from the sentence of the paper that is most like it: altered. Of others nothing is said.
//
// # Limits
//
// A quotation in other words than the paper's, and a translation, are nowhere. A source that is named by nothing that
// its record or the beginning of its text has is not recognised. At most MaxItems quotations of a text are looked up.
// No model is asked.
package examination

const (
	// MaxItems is how many quotations of a text are looked up: a book of 600 pages has some thousand.
	MaxItems = 10_000
	// MaxDocument is the largest text that is examined, in bytes, after it is read: a long book.
	MaxDocument = 16 << 20
)
