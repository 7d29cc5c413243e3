package sourcemeta

import (
	_ "embed" // aliases.txt
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/cid"
	"muniment/snapshot/record"
	"muniment/text/calendar"
)

// Limits of values; together they keep a record below the 1 MiB of canonical
// JSON.
const (
	MaxText = 4096     // bytes of one text; the longest titles have 1,000
	MaxList = 64 << 10 // bytes of all creators, or all tags; 3,000 authors of one paper
)

// Values are the values that one origin gives about a source. An empty member is no
// value.
type Values struct {
	Title         string
	Creators      []string
	Publisher     string
	URL           string
	PublishedAt   string // EDTF, or RFC 3339 with the offset the source states
	FetchedAt     string // RFC 3339 UTC seconds
	Tier          int    // 1 to 4
	PaywallPolicy string // full or metadata_only
	Tags          []string
	Language      string // BCP 47
	CSLType       string // item type of CSL 1.0.2
	SourceID      string // key of a Registry; a fact of the record, not a member of its source

	// By which archives describe papers; see record.Source.
	Identifier, Description, Extent, Rights, Place, Box, Folder, Level string
	Subjects, Related                                                  []string

	// Other holds what was given under names that are no fields. They become the
	// facts other_NAME of the record.
	Other map[string]string
}

// A field is one member of Values. One of text and list is set, or neither for
// the tier.
type field struct {
	name  string
	text  func(*Values) *string
	list  func(*Values) *[]string
	check func(string) error // beyond what a record requires; nil is nothing
	lines bool               // the text may have several lines, and MaxList bytes
}

// fields are the members of Values in the order in which errors and facts name
// them.
var fields = []field{
	{name: "title", text: func(v *Values) *string { return &v.Title }},
	{name: "creators", list: func(v *Values) *[]string { return &v.Creators }},
	{name: "publisher", text: func(v *Values) *string { return &v.Publisher }},
	{name: "url", text: func(v *Values) *string { return &v.URL }, check: checkURL},
	{name: "published_at", text: func(v *Values) *string { return &v.PublishedAt }},
	{name: "fetched_at", text: func(v *Values) *string { return &v.FetchedAt }},
	{name: "tier"},
	{name: "paywall_policy", text: func(v *Values) *string { return &v.PaywallPolicy }},
	{name: "tags", list: func(v *Values) *[]string { return &v.Tags }},
	{name: "language", text: func(v *Values) *string { return &v.Language }, check: checkLanguage},
	{name: "csl_type", text: func(v *Values) *string { return &v.CSLType }, check: checkCSLType},
	{name: "identifier", text: func(v *Values) *string { return &v.Identifier }},
	{name: "description", text: func(v *Values) *string { return &v.Description }, lines: true},
	{name: "extent", text: func(v *Values) *string { return &v.Extent }},
	{name: "rights", text: func(v *Values) *string { return &v.Rights }, lines: true},
	{name: "place", text: func(v *Values) *string { return &v.Place }},
	{name: "box", text: func(v *Values) *string { return &v.Box }},
	{name: "folder", text: func(v *Values) *string { return &v.Folder }},
	{name: "level", text: func(v *Values) *string { return &v.Level }},
	{name: "subjects", list: func(v *Values) *[]string { return &v.Subjects }},
	{name: "related", list: func(v *Values) *[]string { return &v.Related }},
	{name: "source_id", text: func(v *Values) *string { return &v.SourceID }, check: checkSourceID},
}

//go:embed aliases.txt
var aliasList string

// aliases are other words for a field, and for the path of a row.
var aliases = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(aliasList) {
		if name, field, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && name[0] != '#' {
			out[name] = field
		}
	}
	return out
})

// plainName returns a name in the form in which names are compared: lower case, with
// one underscore for every run of characters other than letters and digits, and
// without a prefix of Dublin Core.
func plainName(s string) string {
	if s == "path" || slices.ContainsFunc(fields, func(f field) bool { return f.name == s }) {
		return s // as in most files
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 1 && (words[0] == "dc" || words[0] == "dcterms") {
		words = words[1:]
	}
	name := strings.Join(words, "_")
	if field, ok := aliases()[name]; ok {
		return field
	}
	return name
}

// factName returns the name under which a value that is no field is kept, at being
// the number of its column or member from 1.
func factName(name string, at int) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, plainName(name)), "_")
	if name == "" || len(name) > maxFactName {
		return "column_" + strconv.Itoa(at)
	}
	return name
}

// maxFactName is the length of the longest NAME of a fact other_NAME: longer headers
// of columns are sentences.
const maxFactName = 64

// fieldOf returns the field of a name or alias.
func fieldOf(name string) (field, bool) {
	name = plainName(name)
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

// SetAny sets a field as Set does, or keeps the value under a name that is no field.
func (v *Values) SetAny(name, text string) error {
	if IsField(name) {
		return v.Set(name, text)
	}
	return v.setOther(factName(name, 1), text)
}

// IsField reports whether a name, in any of its forms, is that of a field.
func IsField(name string) bool {
	_, ok := fieldOf(name)
	return ok
}

// setOther keeps a value under the name of a fact.
func (v *Values) setOther(name, text string) error {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil
	case len(text) > MaxText:
		return fmt.Errorf("%s has %d bytes, more than %d", name, len(text), MaxText)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s %q is not UTF-8", name, text)
	}
	if v.Other == nil {
		v.Other = map[string]string{}
	}
	v.Other[name] = strings.Join(strings.Fields(text), " ")
	return nil
}

// FieldNames returns the names of the fields, as Set takes them.
func FieldNames() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// Set sets a field to the value in text, the form of flags and cells:
// creators and tags are separated by semicolons, and spaces around a value do
// not count. An empty text leaves the field as it is. On error v is unchanged.
func (v *Values) Set(name, text string) error {
	f, ok := fieldOf(name)
	if !ok {
		return fmt.Errorf("there is no field %q, want one of %s", name, strings.Join(FieldNames(), ", "))
	}
	text = strings.TrimSpace(text)
	if f.lines {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	var one Values
	switch {
	case text == "":
		return nil
	case f.list != nil:
		for part := range strings.SplitSeq(text, ";") {
			if part = strings.TrimSpace(part); part != "" {
				*f.list(&one) = append(*f.list(&one), part)
			}
		}
	case f.text != nil:
		*f.text(&one) = text
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 4 || strconv.Itoa(n) != text {
			return fmt.Errorf("%s is %q, want 1 to 4", f.name, text)
		}
		one.Tier = n
	}
	return v.setField(f, &one)
}

// setField copies one valid field from other.
func (v *Values) setField(f field, other *Values) error {
	if err := f.valid(other); err != nil {
		if date, ok := (calendar.Reader{}).Read(other.PublishedAt); f.name == dateField && ok {
			return v.setWritten(date, other.PublishedAt)
		}
		return err
	}
	f.copy(v, other)
	return nil
}

// dateField is the field that is read as people write dates; dateWritten is the name under which their words are kept.
const (
	dateField   = "published_at"
	dateWritten = "published_at"
)

// setWritten sets the date to one of EDTF, "" where the words say that there is none, and keeps the words in which it was written.
func (v *Values) setWritten(date, text string) error {
	one := Values{PublishedAt: date}
	if date != "" {
		if err := acceptable(one.source()); err != nil {
			return err
		}
		v.PublishedAt = date
	}
	return v.setOther(dateWritten, text)
}

func (f field) copy(to, from *Values) {
	switch {
	case f.list != nil:
		*f.list(to) = slices.Clone(*f.list(from))
	case f.text != nil:
		*f.text(to) = *f.text(from)
	default:
		to.Tier = from.Tier
	}
}

func (f field) empty(v *Values) bool {
	switch {
	case f.list != nil:
		return len(*f.list(v)) == 0
	case f.text != nil:
		return *f.text(v) == ""
	}
	return v.Tier == 0
}

// same reports whether two values of the field are equal.
func (f field) same(v, w *Values) bool {
	switch {
	case f.list != nil:
		return slices.Equal(*f.list(v), *f.list(w))
	case f.text != nil:
		return *f.text(v) == *f.text(w)
	}
	return v.Tier == w.Tier
}

// Check returns the first defect of v. An empty field has none.
func (v Values) Check() error {
	for _, f := range fields {
		if err := f.valid(&v); err != nil {
			return err
		}
	}
	return nil
}

// IsZero reports whether v has no value.
func (v Values) IsZero() bool {
	return v.SourceID == "" && len(v.Other) == 0 && v.source().IsZero()
}

// valid checks one field of v: first by the rules of this package for texts, then
// by those of a record.
func (f field) valid(v *Values) error {
	if f.empty(v) {
		return nil
	}
	var texts []string
	switch {
	case f.list != nil:
		texts = *f.list(v)
	case f.text != nil:
		texts = []string{*f.text(v)}
	}
	total := 0
	for _, s := range texts {
		total += len(s)
		switch {
		case len(s) > MaxText && !f.lines:
			return fmt.Errorf("%s has %d bytes, more than %d", f.name, len(s), MaxText)
		case !utf8.ValidString(s):
			return fmt.Errorf("%s %q is not UTF-8", f.name, s)
		case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && (r != '\n' || !f.lines) }):
			return fmt.Errorf("%s %q has control characters", f.name, s)
		case strings.TrimSpace(s) == "":
			return fmt.Errorf("%s is empty", f.name)
		}
		if f.check != nil {
			if err := f.check(s); err != nil {
				return fmt.Errorf("%s %w", f.name, err)
			}
		}
	}
	if total > MaxList {
		return fmt.Errorf("%s has %d bytes, more than %d", f.name, total, MaxList)
	}
	var one Values
	f.copy(&one, v)
	return acceptable(one.source())
}

// ValuesOf returns the values of a source that a record has.
func ValuesOf(s record.Source) Values {
	return Values{Title: s.Title, Creators: s.Creators, Publisher: s.Publisher, URL: s.URL, PublishedAt: s.PublishedAt,
		FetchedAt: s.FetchedAt, Tier: s.Tier, PaywallPolicy: s.PaywallPolicy, Tags: s.Tags, Language: s.Language, CSLType: s.CSLType,
		Identifier: s.Identifier, Description: s.Description, Extent: s.Extent, Rights: s.Rights, Place: s.Place, Box: s.Box, Folder: s.Folder,
		Level: s.Level, Subjects: s.Subjects, Related: s.Related}
}

// source returns the members that a record has.
func (v Values) source() record.Source {
	return record.Source{Title: v.Title, Creators: v.Creators, Publisher: v.Publisher, URL: v.URL, PublishedAt: v.PublishedAt,
		FetchedAt: v.FetchedAt, Tier: v.Tier, PaywallPolicy: v.PaywallPolicy, Tags: v.Tags, Language: v.Language, CSLType: v.CSLType,
		Identifier: v.Identifier, Description: v.Description, Extent: v.Extent, Rights: v.Rights, Place: v.Place, Box: v.Box, Folder: v.Folder,
		Level: v.Level, Subjects: v.Subjects, Related: v.Related}
}

// acceptable returns an error when a record may not hold s. It makes a record, for
// package record alone has the rules.
func acceptable(s record.Source) error {
	if s.IsZero() {
		return nil
	}
	r := record.Record{Time: "2000-01-01T00:00:00Z", Agent: "nobody", Source: &s}
	if s.PaywallPolicy == record.PaywallMetadataOnly {
		if s.Title == "" && s.URL == "" {
			s.Title = "untitled" // a record alone wants one of them
		}
	} else {
		id := cid.Of([]byte("x")).String()
		r.Artifact, r.Original, r.Names, r.Size = id, id, []string{"x"}, 1
		r.MediaType, r.Canonicalizer = "application/octet-stream", record.BytesForm
	}
	if _, err := r.Encode(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "source."))
	}
	return nil
}

// checkURL requires an absolute URL without credentials.
func checkURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil && strings.Contains(s, "@"):
		return errors.New("is not a URL, and is not shown because it may hold a password")
	case err != nil:
		return fmt.Errorf("is %q, which is not a URL", s)
	case u.User != nil:
		return errors.New("has a user name or password, which an archive must not keep")
	case strings.ContainsAny(s, " <>\"") || strings.ContainsFunc(s, unicode.IsSpace):
		return fmt.Errorf("is %q, want its spaces, quotes and angle brackets percent-encoded", s)
	case u.Scheme == "":
		return fmt.Errorf("is %q, want it whole, as in https://example.org/a", s)
	case (u.Scheme == "http" || u.Scheme == "https") && (u.Host == "" || u.Opaque != ""):
		return fmt.Errorf("is %q, which has no host", s)
	}
	return nil
}

var (
	languageForm = regexp.MustCompile(`^(?i:[a-z]{2,3}|x)(-[A-Za-z0-9]{1,8})*$`)
	idForm       = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)
)

// checkLanguage requires the form of BCP 47; the subtags need not be registered.
func checkLanguage(s string) error {
	if !languageForm.MatchString(s) || strings.EqualFold(s, "x") {
		return fmt.Errorf("is %q, want a BCP 47 tag such as en or pt-BR", s)
	}
	return nil
}

func checkSourceID(s string) error {
	if !idForm.MatchString(s) {
		return fmt.Errorf("is %q, want up to 128 letters, digits, dots, dashes and underscores", s)
	}
	return nil
}

// cslTypes are the item types of CSL 1.0.2.
var cslTypes = strings.Fields(`article article-journal article-magazine article-newspaper bill book broadcast chapter classic
	collection dataset document entry entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case
	legislation manuscript map motion_picture musical_score pamphlet paper-conference patent performance periodical
	personal_communication post post-weblog regulation report review review-book software song speech standard thesis treaty webpage`)

func checkCSLType(s string) error {
	if !slices.Contains(cslTypes, s) {
		return fmt.Errorf("is %q, want an item type of CSL 1.0.2 such as book, webpage or personal_communication", s)
	}
	return nil
}
