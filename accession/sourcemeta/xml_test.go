package sourcemeta

import (
	"fmt"
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
		"not EDTF": {"07.xml", `<mods><titleInfo><title>A</title></titleInfo><originInfo><dateCreated>c. 1817</dateCreated></originInfo></mods>`, "07.txt", "A||1817~||||"},
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
		if name == "not EDTF" && (v.Other["published_at"] != "c. 1817" || len(s.Notes()) != 0) {
			t.Errorf("%s: %v %v", name, v.Other, s.Notes())
		}
	}
	for name, in := range map[string]string{"nothing": `<a>b</a>`, "cut": `<mods><titleInfo>`, "entity": `<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]><mods><abstract>&x;</abstract></mods>`, "no XML": "path,title\n"} {
		if s, err := ReadXML("a.xml", []byte(in)); err == nil || s != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What a standard states twice, in parts, or of what no field has, is not lost.
func TestReadXMLWhole(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"mods": {`<mods><titleInfo type="alternative"><title>Wheel</title></titleInfo><titleInfo><nonSort>The</nonSort><title>mill</title><subTitle>a story</subTitle></titleInfo>` +
			`<name><namePart type="given">Ada</namePart><namePart type="family">Vale</namePart><namePart type="date">1870-</namePart><role><roleTerm>author</roleTerm></role></name><name><namePart>Ben Ost</namePart></name>` +
			`<originInfo><dateCreated point="start">1880</dateCreated><dateCreated point="end">1890</dateCreated></originInfo><genre>letter</genre><note>one</note><note>two</note><identifier type="doi">10.1/x</identifier></mods>`,
			"The mill: a story|Vale, Ada; Ben Ost|1880/1890||map[genre:letter identifier_doi:10.1/x note:one; two title:Wheel]"},
		"dc": {`<r xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>One</dc:title><dc:title>Two</dc:title><dc:type>Text</dc:type><dc:contributor>Cy</dc:contributor><dc:date>1931</dc:date></r>`,
			"One||1931||map[contributor:Cy title:Two type:Text]"},
		"ead": {`<!DOCTYPE ead [<!ENTITY mill "Harrow &#77;ill">]><c level="item"><did><unittitle>At &mill;</unittitle><container type="Box">3</container><container type="Reel">9</container><physloc>Room 2</physloc></did>` +
			`<scopecontent><p>First.</p><p>Second.</p></scopecontent><custodhist><p>From Ben.</p></custodhist><controlaccess><controlaccess><subject>mills</subject></controlaccess></controlaccess></c>`,
			"At Harrow Mill|||First. Second.|map[container_reel:9 custodhist:From Ben. physloc:Room 2] 3 mills"},
	} {
		s, err := ReadXML("07.xml", []byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l, _, err := s.For("07.txt")
		v := l.Values
		got := strings.Join([]string{v.Title, strings.Join(v.Creators, "; "), v.PublishedAt, v.Description, fmt.Sprint(v.Other)}, "|")
		if name == "ead" {
			got += " " + v.Box + " " + strings.Join(v.Subjects, ", ")
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s, want %s (%v)", name, got, c.want, err)
		}
	}
	laughs := `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><mods><abstract>&b;</abstract></mods>`
	if s, err := ReadXML("a.xml", []byte(laughs)); err == nil || s != nil {
		t.Error("an entity of entities was read")
	}
}
