package read

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/unicode/norm"

	"muniment/canon"
	"muniment/cid"
)

const (
	french = "Ma chère Zoé,\n\nle café était fermé quand je suis arrivé, et j’ai dû rentrer à pied\nle long de la rivière. Où étais-tu ? Le garçon a dit « à bientôt », voilà tout.\n\nÀ Noël donc, et embrasse ton frère François.\n"
	// The detector knows Russian by its letter pairs.
	russian = "Дорогая Зоя,\n\nвчера кафе было закрыто, и я пошёл домой вдоль реки.\nГде ты была? Официант сказал, что ты ушла рано утром.\n\nДо встречи зимой, и привет твоему брату.\n"
	korean  = "봄에 우리는 할머니의 마을에 갔습니다.\n\n강물이 삼 미터나 불었지만 아무도 다치지 않았습니다.\n"
	thai    = "ฤดูใบไม้ผลิเราไปหมู่บ้านของยาย\n\nแม่น้ำสูงขึ้นสามเมตร แต่ไม่มีใครได้รับบาดเจ็บ\n"
	diary   = "親愛なるゾエへ、\n\n昨日カフェは閉まっていたので、私は川に沿って家まで歩いて帰りました。\nあなたはどこにいましたか。\n\nまた冬に会いましょう。\n"
)

func encode(t *testing.T, e encoding.Encoding, s string) []byte {
	t.Helper()
	out, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Whatever a letter is encoded in, it is the same artifact.
func TestReencodingKeepsID(t *testing.T) {
	le16, be16 := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	le32, be32 := utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	crlf := strings.ReplaceAll(french, "\n", "\r\n")
	odd := "a" + strings.Repeat("bc😀", 2000) // with a surrogate pair across byte 4096
	cases := []struct {
		name, text, hint string
		data             []byte
		charset          string
	}{
		{"utf-8", french, "", []byte(french), "utf-8 valid"},
		{"utf-8 with another hint", french, "windows-1251", []byte(french), "utf-8 valid"},
		{"utf-8 with mark", french, "", []byte("\uFEFF" + french), "utf-8 bom"},
		{"decomposed", french, "", norm.NFD.Bytes([]byte(french)), "utf-8 valid"},
		{"CRLF", french, "", []byte(crlf), "utf-8 valid"},
		{"CR", french, "", []byte(strings.ReplaceAll(french, "\n", "\r")), "utf-8 valid"},
		{"NEL", french, "", []byte(strings.ReplaceAll(french, "\n", "\u0085")), "utf-8 valid"},
		{"trailing blanks", french, "", []byte(strings.ReplaceAll(french, "\n", " \t\n")), "utf-8 valid"},
		{"utf-16le with mark", french, "", encode(t, le16, "\uFEFF"+french), "utf-16le bom"},
		{"utf-16be with mark", french, "", encode(t, be16, "\uFEFF"+crlf), "utf-16be bom"},
		{"utf-16le without", french, "", encode(t, le16, french), "utf-16le zeros"},
		{"utf-16be without", french, "", encode(t, be16, french), "utf-16be zeros"},
		{"long utf-16be without", odd, "", encode(t, be16, odd), "utf-16be zeros"},
		{"russian utf-16le without", russian, "", encode(t, le16, russian), "utf-16le zeros"},
		{"russian utf-16be without", russian, "", encode(t, be16, strings.ReplaceAll(russian, "\n", "\r\n")), "utf-16be zeros"},
		{"russian utf-32le without", russian, "", encode(t, le32, russian), "utf-32le zeros"},
		{"japanese utf-16le without", diary, "", encode(t, le16, diary), "utf-16le zeros"},
		{"japanese utf-16be with NEL", diary, "", encode(t, be16, strings.ReplaceAll(diary, "\n", "\u0085")), "utf-16be zeros"},
		{"decomposed korean utf-16be without", korean, "", encode(t, be16, norm.NFD.String(korean)), "utf-16be zeros"},
		{"thai utf-32be without", thai, "", encode(t, be32, thai), "utf-32be zeros"},
		{"thai by guess", thai, "", encode(t, charmap.Windows874, thai), "windows-874 guess "},
		{"utf-16le by hint", russian, "text/plain; charset=UTF-16LE", encode(t, le16, russian), "utf-16le hint"},
		{"utf-32le with mark", french, "", encode(t, le32, "\uFEFF"+french), "utf-32le bom"},
		{"utf-32be with mark", french, "", encode(t, be32, "\uFEFF"+french), "utf-32be bom"},
		{"utf-32be without", french, "", encode(t, be32, french), "utf-32be zeros"},
		{"windows-1252 by hint", french, "windows-1252", encode(t, charmap.Windows1252, french), "windows-1252 hint"},
		{"latin 1 by hint", french, "text/plain; charset=\"ISO-8859-1\"", encode(t, charmap.Windows1252, crlf), "windows-1252 hint"},
		{"macintosh by hint", french, "macintosh", encode(t, charmap.Macintosh, french), "macintosh hint"},
		{"windows-1252 by guess", french, "", encode(t, charmap.Windows1252, french), "windows-1252 guess "},
		{"russian", russian, "", []byte(russian), "utf-8 valid"},
		{"windows-1251 by guess", russian, "", encode(t, charmap.Windows1251, russian), "windows-1251 guess "},
		{"koi8-r by guess", russian, "", encode(t, charmap.KOI8R, russian), "koi8-r guess "},
		{"koi8-r by hint", russian, "koi8-r", encode(t, charmap.KOI8R, russian), "koi8-r hint"},
		{"japanese", diary, "", []byte(diary), "utf-8 valid"},
		{"shift_jis by guess", diary, "", encode(t, japanese.ShiftJIS, diary), "shift_jis guess "},
		{"euc-jp by guess", diary, "", encode(t, japanese.EUCJP, diary), "euc-jp guess "},
		{"iso-2022-jp by hint", diary, "iso-2022-jp", encode(t, japanese.ISO2022JP, diary), "iso-2022-jp hint"},
	}
	for _, c := range cases {
		text, charset, err := Decode(c.data, c.hint)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, want := cid.Of(canon.Text(text)), cid.Of(canon.Text([]byte(c.text))); got != want {
			t.Errorf("%s (%s): another artifact: %q", c.name, charset, canon.Text(text))
		}
		if !strings.HasPrefix(charset, c.charset) {
			t.Errorf("%s: charset %q, want %q", c.name, charset, c.charset)
		}
	}
}

func TestDecodeDamage(t *testing.T) {
	damaged := strings.Replace(french, "rivière", "rivi\xFFre", 1)
	text, charset, err := Decode([]byte(damaged), "")
	if err != nil || charset != "utf-8 damaged, 1 undecodable" || !strings.Contains(string(text), "rivi\uFFFDre") {
		t.Errorf("got %q, %v: %q", charset, err, text)
	}
}

func TestDecodeRefuses(t *testing.T) {
	cases := []struct{ name, in, hint, want string }{
		{"empty", "", "", "the text is empty"},
		{"a zero byte", "abc\x00def, and more of it", "", "byte 3 is zero, which no text holds"},
		{"words between zeros", "alpha\x00beta\x00gamma delta\x00", "", "byte 5 is zero, which no text holds"},
		{"utf-16 of many scripts", " \x00А\x04א\x05ب\x06ก\x0eα\x03", "", "byte 1 is zero, which no text holds"},
		{"zero bytes with hint", "abc\x00def", "windows-1252", "the decoded text holds U+0000 at byte 3, which no text does"},
		{"zeros in utf-16", "\xFF\xFEa\x00\x00\x00b\x00", "", "the decoded text holds U+0000 at byte 1, which no text does"},
		{"controls", "\x01\x02\x03\x04abc", "", "4 of 7 characters are controls: binary, not text"},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "", "byte 8 is zero, which no text holds"},
		{"utf-16 mark and junk", "\xFF\xFE\x01\xD8\x01\xD8", "", "the byte order mark says utf-16le, and more than one byte in 100 is not"},
	}
	for _, c := range cases {
		text, charset, err := Decode([]byte(c.in), c.hint)
		if err == nil || text != nil || charset != "" {
			t.Errorf("%s: got %q, %q, want an error and nothing", c.name, text, charset)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s: got %q, want %q", c.name, err, c.want)
		}
	}
}

// The same bytes always give the same decision.
func TestDecodeIsDeterministic(t *testing.T) {
	data := encode(t, charmap.Windows1252, french)
	_, first, err := Decode(data, "")
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if _, again, _ := Decode(data, ""); again != first {
			t.Fatalf("%q, then %q", first, again)
		}
	}
}

// The version that decisions name is the one that is linked.
func TestGuesserVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "\t"+Guesser+"\n") {
		t.Errorf("go.mod does not require %s", Guesser)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(french), "")
	f.Add([]byte("\xFF\xFEa\x00"), "")
	f.Add([]byte("caf\xE9"), "latin1")
	f.Add([]byte("\x1B$B$\"\x1B(B"), "iso-2022-jp")
	f.Add([]byte("\x83\x65\x83\x58\x83\x67"), "text/plain; charset=shift_jis")
	f.Fuzz(func(t *testing.T, data []byte, hint string) {
		text, charset, err := Decode(data, hint)
		if err != nil {
			if text != nil || charset != "" {
				t.Fatalf("an error with a result: %q, %q", text, charset)
			}
			return
		}
		if !utf8.Valid(text) || charset == "" || bytes.IndexByte(text, 0) >= 0 {
			t.Fatalf("%q is decoded to %q as %q", data, text, charset)
		}
		form := canon.Text(text)
		if form != nil && (!utf8.Valid(form) || !bytes.Equal(canon.Text(form), form)) {
			t.Fatalf("Text(%+q) = %+q, and again %+q", text, form, canon.Text(form))
		}
		if form == nil {
			return
		}
		again, charset, err := Decode(form, "")
		if err != nil || charset != "utf-8 valid" || !bytes.Equal(canon.Text(again), form) {
			t.Fatalf("the form %q of %q is decoded as %q %v", form, data, charset, err)
		}
	})
}
