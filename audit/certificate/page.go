package certificate

import (
	"bytes"
	_ "embed"
	"html/template"
	texttemplate "text/template"

	"muniment/bundle"
)

//go:embed page.html
var pageText string

//go:embed recipe.txt
var recipeText string

var (
	pageTemplate   = template.Must(template.New("").Funcs(template.FuncMap{"short": shortTime, "pass": isPass}).Parse(pageText))
	recipeTemplate = texttemplate.Must(texttemplate.New("").Parse(recipeText))
)

// shortTime returns a time of RFC 3339 as people read it.
func shortTime(t string) string {
	if len(t) < len("2006-01-02T15:04:05Z") {
		return t
	}
	return t[:10] + " " + t[11:16] + " UTC"
}

func isPass(r bundle.Result) bool { return r == bundle.Pass }

// Page returns the certificate as a page of HTML to print, on A4 or Letter, without script and
// without anything from elsewhere.
func (c *Certificate) Page() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, c)
	return b.Bytes(), err
}

// recipe returns the commands by which anybody checks the folder. Each line that begins with "$ "
// is one command for sh, or goes on in the lines after it that begin with "> ".
func (f *folder) recipe() ([]byte, error) {
	var b bytes.Buffer
	err := recipeTemplate.Execute(&b, f.c)
	return b.Bytes(), err
}
