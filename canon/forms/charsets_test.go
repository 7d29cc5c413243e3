package forms

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/unicode/norm"
)

// A language is a text in it and the charsets that can write the text.
type language struct {
	name, text string
	charsets   []string
	guessed    []string // of them, those that are found without a hint
}

var languages = []language{
	{"french", "Ma chère Zoé,\n\nle café était fermé quand je suis arrivé, et j'ai dû rentrer à pied\nle long de la rivière. Où étais-tu ? Le garçon a dit à bientôt, voilà tout.\n\nÀ Noël donc, sur l'île, et embrasse ton frère François. 1.250 F, 3 %\n",
		[]string{"windows-1252", "iso-8859-1", "iso-8859-3", "iso-8859-14", "iso-8859-15", "iso-8859-16", "iso-8859-9", "windows-1254", "windows-1258", "macintosh", "gb18030"}, []string{"windows-1252"}},
	{"polish", "Drogi Łukaszu,\n\nkawiarnia była zamknięta, więc poszedłem do domu wzdłuż rzeki.\nŹdźbło trawy, żółw, gęś i ćma: 17 sztuk.\n", []string{"iso-8859-2", "windows-1250", "iso-8859-13", "iso-8859-16", "windows-1257", "gb18030"}, nil},
	{"maltese", "Għażiż ħija,\n\nil-kafetterija kienet magħluqa u mxejt id-dar. Ċentru, ġnien, 12.\n", []string{"iso-8859-3"}, nil},
	{"latvian", "Mīļā Zane,\n\nkafejnīca bija slēgta, tāpēc es gāju mājās gar upi.\nŠķūnis, čūska, ģērbtuve, ņirgas: 8.\n", []string{"iso-8859-4", "iso-8859-13", "windows-1257"}, nil},
	{"icelandic", "Kæri Þór,\n\nkaffihúsið var lokað og ég gekk heim. Ýmir á Ísafirði, 41.\n", []string{"iso-8859-1", "iso-8859-10", "windows-1252"}, nil},
	{"welsh", "Annwyl Siôn,\n\nroedd y caffi ar gau ac es i adref. Tŷ, dŵr, ŵyn: 5.\n", []string{"iso-8859-14"}, nil},
	{"russian", "Дорогая Зоя,\n\nвчера кафе было закрыто, и я пошёл домой вдоль реки.\nГде ты была? Официант сказал, что ты ушла рано утром.\n\nДо встречи зимой, и привет твоему брату. 1911\n",
		[]string{"windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "ibm866", "x-mac-cyrillic", "gb18030", "gbk", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "big5"}, []string{"windows-1251", "koi8-r"}},
	{"ukrainian", "Дорога Зоє,\n\nкав'ярня була зачинена, їдальня теж. Іній на ґанку, 3 березня.\n", []string{"windows-1251", "koi8-u", "x-mac-cyrillic"}, nil},
	{"greek", "Αγαπητή Ζωή,\n\nτο καφενείο ήταν κλειστό και γύρισα σπίτι με τα πόδια.\nΤο ποτάμι ήταν γκρίζο. 1911\n", []string{"windows-1253", "iso-8859-7"}, nil},
	{"turkish", "Sevgili Işıl,\n\nkahvehane kapalıydı, ben de eve yürüdüm. Güneş, çiğ, İstanbul, 34.\n", []string{"windows-1254", "iso-8859-9"}, nil},
	{"hebrew", "זואי היקרה,\n\nבית הקפה היה סגור והלכתי הביתה לאורך הנהר. 1911\n", []string{"windows-1255", "iso-8859-8", "iso-8859-8-i"}, nil},
	{"arabic", "عزيزتي زوي،\n\nكان المقهى مغلقا فمشيت إلى البيت بمحاذاة النهر. 1911\n", []string{"windows-1256", "iso-8859-6"}, nil},
	{"thai", "ถึงโซอี้\n\nร้านกาแฟปิด ฉันจึงเดินกลับบ้านเลียบแม่น้ำ ๑๒๓\n", []string{"windows-874"}, nil},
	{"vietnamese", "Zoé thân mến,\n\nquán cà phê đóng cửa nên tôi đi bộ về nhà dọc bờ sông. Ngữ, nghệ, được, ậm ừ: 9.\n", []string{"windows-1258"}, nil},
	{"japanese", "親愛なるゾエへ、\n\n昨日カフェは閉まっていたので、私は川に沿って家まで歩いて帰りました。\nあなたはどこにいましたか。\n\nまた冬に会いましょう。1911年\n",
		[]string{"shift_jis", "euc-jp", "iso-2022-jp", "gb18030"}, []string{"shift_jis", "euc-jp"}},
	{"chinese", "亲爱的佐伊:\n\n昨天咖啡馆关门了,我沿着河走回家。\n水像石板一样灰,你会喜欢的。1911年\n", []string{"gb18030", "gbk", "gb2312"}, nil},
	{"traditional", "親愛的佐伊:\n\n昨天咖啡館關門了,我沿著河走回家。\n水像石板一樣灰,你會喜歡的。1911年\n", []string{"big5", "gb18030", "gbk"}, nil},
	{"korean", "사랑하는 조이에게,\n\n어제 카페가 문을 닫아서 강을 따라 집까지 걸어왔습니다.\n물은 잿빛이었습니다. 1911년\n", []string{"euc-kr", "gb18030"}, nil},
}

// utf are the Unicode encodings, written as they are.
var utf = map[string]encoding.Encoding{
	"utf-8": encoding.Nop, "utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// encode writes text in a charset; what the charset lacks is a mistake here.
func encode(charset, text string) []byte {
	enc, ok := utf[charset]
	if !ok {
		var err error
		enc, err = htmlindex.Get(charset)
		must(err)
	}
	if charset == "windows-1258" {
		text = tonesApart(text)
	}
	out, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("%s cannot write %q: %v", charset, text, err))
	}
	return out
}

// tonesApart writes Vietnamese as windows-1258 has it: the vowels whole, the
// tones as combining marks behind them, unless the charset has both in one.
func tonesApart(text string) string {
	enc, err := htmlindex.Get("windows-1258")
	must(err)
	var out strings.Builder
	for _, r := range text {
		if _, err := enc.NewEncoder().String(string(r)); err == nil {
			out.WriteRune(r)
			continue
		}
		vowel, tone := "", ""
		for _, m := range norm.NFD.String(string(r)) {
			if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", m) {
				tone += string(m)
			} else {
				vowel += string(m)
			}
		}
		out.WriteString(norm.NFC.String(vowel) + tone)
	}
	return out.String()
}

func withEnds(text, end string) string { return strings.ReplaceAll(text, "\n", end) }
