package catalogue

import (
	"slices"
	"strings"
	"testing"
)

func TestReadHead(t *testing.T) {
	cases := []struct{ text, name, heading, date, salutation, signature string }{
		{"Ashford,\nNovember, 1913\n\nDear Ben,\n\nAll is well.\n\nYour loving sister,\nAda\n", "", "Ashford", "1913-11", "Dear Ben", "Ada"},
		{"14 High Street, Leeds, 3rd March 1921.\n\nDear Ben,\n\nx.\n", "", "14 High Street, Leeds", "1921-03-03", "Dear Ben", ""},
		{"Berlin, den 7. März 1921\n\nLieber Ben,\n\nx.\n\nDein\nMax", "", "Berlin, den", "1921-03-07", "Lieber Ben", "Max"},
		{"1921-03-07\n\nx", "", "", "1921-03-07", "", ""},
		{"Bath, Septr. 14, 1891\n\nReverend Sir,\n\nx.\n\nWith my respects,\nP. Hale", "", "Bath", "1891-09-14", "Reverend Sir", "P. Hale"},
		{"Bath, Whit Monday 1899\n\nDear Mother,\n\nx.\n", "", "Bath", "1899-05-22", "Dear Mother", ""},
		{"Michaelmas 1817\n\nx.\n", "", "", "1817-09-29~", "", ""},
		{"Bath, Nov. 17/95\n\nDear Father,\n\nx", "a/1895 (draft).txt", "Bath", "1895-11-17", "Dear Father", ""},
		{"Bath, Nov. 17/95\n\nDear Father,\n\nx", "draft.txt", "Bath, Nov. 17/95", "", "Dear Father", ""},
		{"St. Agnes, 12th March, 1894\n\nMy dear Edwin,\n\nWear flannel.\n\nYour loving Mother\n", "", "St. Agnes", "1894-03-12", "My dear Edwin", "Your loving Mother"},
		{"Dear Ben,\n\nI was born on 3 March 1881 in a house by the harbour, as you know.\n", "", "", "", "Dear Ben", ""},
		{"A history of Leeds, 1881\n", "", "", "", "", ""},
		{"From 3 March 1881 to 4 May 1882\n", "", "", "", "", ""},
		{"a\nb\nc\nd\ne\nf\n3 March 1921\n", "", "", "", "", ""},
		{"Bath, 12.xi.01\n\nDear Sir,\n\nx.\n", "1901 orders", "Bath", "1901-11-12", "Dear Sir", ""},
		{"Bath, 1895, June 9\n\nHugh,\n\nThe barn is up.\n\nYour brother,\nMagnus\n", "", "Bath", "1895-06-09", "Hugh", "Magnus"},
		{"Bath, 9th June 95\nMy dear Hugh, the barn is up and the corn is in.\n\nEver yours,\nMagnus\n", "1895.txt", "Bath", "1895-06-09", "My dear Hugh", "Magnus"},
		{"Bath, New Year's Eve, 1895\n\nDear Hugh,\n\nx.\n", "", "Bath", "1895-12-31", "Dear Hugh", ""},
		{"Dear Hugh,\n\nx.\n\nYours ever,\nMagnus\nBath, 9 June 1895\n", "", "", "1895-06-09", "Dear Hugh", "Magnus, Bath, 9 June 1895"},
		{"Dear Hugh,\n\nx.\n", "25-1913-11.txt", "", "1913-11", "Dear Hugh", ""},
		{"Jena, 8. Mai 1841\n\nMeine gute, liebe Susanna,\n\nx.\n\nDeine\nAmalie", "", "Jena", "1841-05-08", "Meine gute, liebe Susanna", "Amalie"},
		{"Jena, 8. Mai 1841\n\nMein Freund!\n\nx.\n\nDein\nMax", "", "Jena", "1841-05-08", "Mein Freund", "Max"},
		{"York, 3 May 1841\n\nMy own sweet girl,\n\nx.\n\nYour father,\nMax", "", "York", "1841-05-03", "My own sweet girl", "Max"},
		{"York\n\nMy little lamb,\nis white.\n", "", "", "", "", ""},
		{"My wife is dear to me.\n", "", "", "", "", ""},
		{"", "", "", "", "", ""},
	}
	for _, c := range cases {
		h := ReadHead(c.text, c.name)
		if h.Heading != c.heading || h.Date != c.date || h.Salutation != c.salutation || h.Signature != c.signature {
			t.Errorf("%q: %+v", c.text, h)
		}
	}
}

// The line of an official letter that says to whom it goes is its address and no sentence of it; one that tells something is none.
func TestAddressOfALetter(t *testing.T) {
	for text, want := range map[string]string{
		"Der Bürgermeister, den 3. Februar 1934\n\nAn Fräulein Lene Bruhn, hier.\n\nSie werden entlassen.\n": "An Fräulein Lene Bruhn, hier.",
		"An das Königliche Landratsamt.\n\nDer Unterzeichnete bittet um Entlassung.\n":                       "An das Königliche Landratsamt.",
		"An den wohllöblichen Magistrat allhier.\n\nGehorsamst berichten wir.\n":                             "An den wohllöblichen Magistrat allhier.",
		"An das Haus kam er erst am Abend.\n\nEs regnete.\n":                                                 "",
		"An Ostern in der Kirche.\n\nEs regnete.\n":                                                          "",
		"Riga, den 3. Mai 1870\n\nLiebe Mutter,\n\nAn das Haus denke ich oft.\n\nDeine Auguste\n":            "",
	} {
		h := ReadHead(text, "")
		if h.Address != strings.Trim(want, ".") || want != "" && !slices.Equal(h.Lines, []string{want}) {
			t.Errorf("%q: address %q, lines %q", text, h.Address, h.Lines)
		}
	}
}
