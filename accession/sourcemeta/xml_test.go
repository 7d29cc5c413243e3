package sourcemeta

import (
	"strings"
	"testing"
)

// Each standard describes the file that it names.
func TestReadXML(t *testing.T) {
	const c = `<c level="item"><did><unittitle>To Clara</unittitle><unitid>VP 1/7</unitid><unitdate normal="1817-05">May 1817</unitdate><origination><persname>Ada Vale</persname></origination><container type="box">3</container><dao href="letters/07.txt"/></did><scopecontent><p>Of the mill.</p></scopecontent></c>`
	for name, test := range map[string]struct{ file, in, path, want string }{
		"ead":      {"a.xml", `<ead><archdesc level="fonds"><did><unittitle>Papers</unittitle></did><dsc>` + c + `</dsc></archdesc></ead>`, "letters/07.txt", "To Clara|Ada Vale|1817-05|VP 1/7|3|item|Of the mill."},
		"ead 3":    {"a.xml", `<ead xmlns="http://ead3.archivists.org/schema/"><control/><archdesc level="fonds"><did><unittitle>Papers</unittitle></did><dsc>` + strings.ReplaceAll(c, ` type="box"`, ` localtype="box"`) + `</dsc></archdesc></ead>`, "letters/07.txt", "To Clara|Ada Vale|1817-05|VP 1/7|3|item|Of the mill."},
		"mods":     {"letter-07.mods.xml", `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>To Clara</title></titleInfo><name><namePart>Ada Vale</namePart></name><originInfo><dateCreated>1817~</dateCreated></originInfo><abstract>Of the mill.</abstract></mods>`, "letter-07.txt", "To Clara|Ada Vale|1817~||||Of the mill."},
		"many":     {"a.xml", `<modsCollection><mods><identifier type="filename">b.txt</identifier><titleInfo><title>B</title></titleInfo></mods><mods><titleInfo><title>C</title></titleInfo></mods></modsCollection>`, "b.txt", "B||||||"},
		"dc":       {"a.xml", `<r><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>To Clara</dc:title><dc:identifier>VP 1/7</dc:identifier><dc:identifier>07.txt</dc:identifier><dc:creator>Ada; Vale</dc:creator><dc:creator>Ben</dc:creator></oai_dc:dc></r>`, "07.txt", "To Clara|Ada; Vale,Ben||VP 1/7|||"},
		"tei":      {"x/07.xml", `<TEI><teiHeader><fileDesc><titleStmt><title>To <hi>Clara</hi></title></titleStmt><publicationStmt><date when="1817"/></publicationStmt></fileDesc></teiHeader><text>no</text></TEI>`, "07.xml", "To Clara||1817||||"},
		"charset":  {"07.xml", "<?xml version='1.0' encoding='windows-1252'?><mods><titleInfo><title>Caf\xe9</title></titleInfo></mods>", "07.txt", "Café||||||"},
		"not EDTF": {"07.xml", `<mods><titleInfo><title>A</title></titleInfo><originInfo><dateCreated>c. 1817</dateCreated></originInfo></mods>`, "07.txt", "A||||||"},
	} {
		s, err := ReadXML(test.file, []byte(test.in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l, ok, err := s.For(test.path)
		v := l.Values
		if got := strings.Join([]string{v.Title, strings.Join(v.Creators, ","), v.PublishedAt, v.Identifier, v.Box, v.Level, v.Description}, "|"); !ok || err != nil || got != test.want {
			t.Errorf("%s: %s, want %s (%v %v %v)", name, got, test.want, ok, err, s.Notes())
		}
		if name == "not EDTF" && (v.Other["published_at"] != "c. 1817" || len(s.Notes()) != 1) {
			t.Errorf("%s: %v %v", name, v.Other, s.Notes())
		}
	}
	for name, in := range map[string]string{"nothing": `<a>b</a>`, "cut": `<mods><titleInfo>`, "entity": `<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]><mods><abstract>&x;</abstract></mods>`, "no XML": "path,title\n"} {
		if s, err := ReadXML("a.xml", []byte(in)); err == nil || s != nil {
			t.Errorf("%s: no error", name)
		}
	}
}
