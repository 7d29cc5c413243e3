package forms

import (
	"fmt"
	"muniment/canon/read"
	"os"
	"strings"
	"testing"

	"muniment/testvectors"
)

// A sample is a text for which its charset has to be guessed.
type sample struct {
	language string
	charsets []string
	text     string
}

var samples = []sample{
	{"cs", []string{"windows-1250", "iso-8859-2"}, "Milý příteli, včera večer jsem dlouho přemýšlel o tvém dopise. Řeka se vylila z břehů a most u mlýna je zavřený, takže jsme museli jít pěšky přes kopec. Děti se smály, ale já jsem měl strach, že než dojdeme domů, bude úplná tma. Babička nám uvařila čaj s medem a vyprávěla o tom, jaké to bylo, když byla sama malá. Žádné světlo, žádný vlak, jen koně a dlouhé zimy. Napiš mi brzy, prosím, jestli přijedeš na svatbu, ať můžeme připravit pokoj."},
	{"pl", []string{"windows-1250", "iso-8859-2"}, "Drogi przyjacielu, wczoraj wieczorem długo myślałem o twoim liście. Rzeka wystąpiła z brzegów i most przy młynie jest zamknięty, więc musieliśmy iść pieszo przez wzgórze. Dzieci się śmiały, lecz ja bałem się, że zanim dojdziemy do domu, będzie zupełnie ciemno. Babcia zrobiła nam herbatę z miodem i opowiadała, jak to było, gdy sama była mała. Żadnego światła, żadnej kolei, tylko konie i długie zimy. Napisz, proszę, czy przyjedziesz na ślub."},
	{"hu", []string{"windows-1250", "iso-8859-2"}, "Kedves barátom, tegnap este sokáig gondolkodtam a leveleden. A folyó kilépett a medréből, és a malom melletti híd zárva van, ezért gyalog kellett átmennünk a dombon. A gyerekek nevettek, de én féltem, hogy mire hazaérünk, teljesen sötét lesz. Nagyanyánk mézes teát főzött, és elmesélte, milyen volt, amikor ő maga kicsi volt. Se villany, se vonat, csak lovak és hosszú telek. Kérlek, írd meg hamar, hogy eljössz-e az esküvőre, hogy előkészíthessük a szobát."},
	{"ro", []string{"windows-1250", "iso-8859-2"}, "Dragă prietene, aseară m-am gândit mult la scrisoarea ta. Râul a ieşit din matcă şi podul de lângă moară este închis, aşa că a trebuit să mergem pe jos peste deal. Copiii râdeau, dar mie mi-era teamă că până ajungem acasă se va face întuneric. Bunica ne-a făcut ceai cu miere şi ne-a povestit cum era când ea însăşi era mică. Nicio lumină, niciun tren, numai cai şi ierni lungi. Scrie-mi repede, te rog, dacă vii la nuntă, ca să pregătim odaia."},
	{"tr", []string{"windows-1254"}, "Sevgili dostum, dün akşam mektubunu uzun uzun düşündüm. Irmak taştı ve değirmenin yanındaki köprü kapalı, bu yüzden tepenin üzerinden yürümek zorunda kaldık. Çocuklar gülüyordu ama ben eve varmadan havanın kararacağından korkuyordum. Büyükannem bize ballı çay yaptı ve kendisi küçükken her şeyin nasıl olduğunu anlattı. Işık yok, tren yok, yalnızca atlar ve uzun kışlar. Lütfen düğüne gelip gelmeyeceğini çabuk yaz ki odanı hazırlayalım."},
	{"ru", []string{"windows-1251", "koi8-r", "ibm866", "iso-8859-5"}, "Дорогой друг, вчера вечером я долго думал о твоём письме. Река вышла из берегов, и мост у мельницы закрыт, поэтому нам пришлось идти пешком через холм. Дети смеялись, а я боялся, что раньше, чем мы дойдём до дома, станет совсем темно. Бабушка заварила нам чай с мёдом и рассказала, как всё было, когда она сама была маленькой. Ни света, ни поезда, только лошади и долгие зимы. Напиши скорее, приедешь ли ты на свадьбу, чтобы мы приготовили комнату."},
	{"el", []string{"windows-1253", "iso-8859-7"}, "Αγαπητέ μου φίλε, χθες το βράδυ σκεφτόμουν πολλή ώρα το γράμμα σου. Το ποτάμι ξεχείλισε και η γέφυρα δίπλα στον μύλο είναι κλειστή, γι' αυτό έπρεπε να περπατήσουμε πάνω από τον λόφο. Τα παιδιά γελούσαν, αλλά εγώ φοβόμουν πως ώσπου να φτάσουμε στο σπίτι θα έχει σκοτεινιάσει. Η γιαγιά μάς έφτιαξε τσάι με μέλι και μας διηγήθηκε πώς ήταν όταν ήταν η ίδια μικρή. Ούτε φως ούτε τρένο, μόνο άλογα και μακριοί χειμώνες."},
	{"he", []string{"windows-1255", "iso-8859-8"}, "ידידי היקר, אמש חשבתי זמן רב על המכתב שלך. הנהר עלה על גדותיו והגשר ליד הטחנה סגור, ולכן נאלצנו ללכת ברגל מעל הגבעה. הילדים צחקו, אבל אני חששתי שעד שנגיע הביתה יהיה חושך גמור. סבתא הכינה לנו תה עם דבש וסיפרה איך היה כאשר היא עצמה הייתה קטנה. אין אור, אין רכבת, רק סוסים וחורפים ארוכים. אנא כתוב לי מהר אם תבוא לחתונה, כדי שנוכל להכין את החדר."},
	{"de", []string{"windows-1252", "gb18030"}, "Lieber Freund, gestern Abend dachte ich lange über deinen Brief nach. Der Fluß trat über die Ufer, und die Brücke bei der Mühle ist gesperrt, so daß wir zu Fuß über den Hügel gehen mußten. Die Kinder lachten, ich aber fürchtete, daß es völlig dunkel würde, ehe wir zu Hause wären. Großmutter kochte uns Tee mit Honig und erzählte, wie es früher war, als sie selbst klein war. Kein Licht, keine Züge, nur Pferde und lange Winter. Schreib mir bald, ob du zur Hochzeit kommst."},
	{"fr", []string{"windows-1252"}, "Cher ami, hier soir j'ai longtemps réfléchi à ta lettre. La rivière a débordé et le pont près du moulin est fermé, de sorte que nous avons dû aller à pied par la colline. Les enfants riaient, mais moi je craignais qu'il ne fasse nuit noire avant que nous arrivions à la maison. Grand-mère nous a préparé du thé au miel et nous a raconté comment c'était lorsqu'elle était elle-même petite. Ni lumière ni chemin de fer, rien que des chevaux et de longs hivers. Écris-moi bientôt, s'il te plaît."},
	{"es", []string{"windows-1252"}, "Querido amigo: anoche pensé mucho en tu carta. El río se salió de su cauce y el puente del molino está cerrado, así que tuvimos que ir a pie por la colina. ¿Vendrás mañana? Los niños reían, pero yo temía que la oscuridad llegara antes. La abuela nos contó cómo era todo cuando ella misma era pequeña. ¡Qué inviernos tan largos!"},
	{"pt", []string{"windows-1252"}, "Querido amigo, ontem à noite pensei muito na tua carta. O rio transbordou e a ponte junto ao moinho está fechada, de modo que tivemos de ir a pé pela colina. As crianças riam, mas eu não sabia se chegaríamos antes da escuridão. A avó fez-nos chá com mel e contou como era quando ela própria era pequena. As estações são longas. Até amanhã, irmão."},
	{"it", []string{"windows-1252"}, "Caro amico, ieri sera ho pensato a lungo alla tua lettera. Il fiume è uscito dagli argini e il ponte è chiuso, perciò siamo dovuti andare a piedi più in là. La nonna ci raccontò com'era la città quando lei era piccola, perché così si usa. Verrà lunedì? Chissà. Di più non so."},
	{"sv", []string{"windows-1252"}, "Käre vän, i går kväll tänkte jag länge på ditt brev. Ån har svämmat över och bron vid kvarnen är stängd, så vi måste gå till fots över kullen. Barnen skrattade, men jag var rädd att det skulle bli mörkt innan vi kom hem. Mormor berättade hur det var när hon själv var liten."},
	{"da", []string{"windows-1252"}, "Kære ven, i går aftes tænkte jag længe på dit brev. Åen er gået over sine bredder, og broen ved møllen er lukket, så vi måtte gå til fods over bakken. Børnene lo, men jeg var bange for, at det ville blive mørkt, før vi nåede hjem. Bedstemor fortalte, hvordan det var, da hun selv var lille."},
	{"is", []string{"windows-1252"}, "Kæri vinur, í gærkvöldi hugsaði ég lengi um bréfið þitt. Áin flæddi yfir bakka sína og brúin við mylluna er lokuð, svo að við urðum að ganga yfir hæðina. Börnin hlógu en ég óttaðist að það yrði alveg dimmt áður en við kæmumst heim. Amma sagði okkur hvernig það var þegar hún sjálf var lítil."},
	{"et", []string{"windows-1252", "windows-1257"}, "Kallis sõber, eile õhtul mõtlesin kaua su kirja üle. Jõgi tuli üle kallaste ja veski juures olev sild on kinni, nii et pidime minema jala üle künka. Lapsed naersid, aga mina kartsin, et enne kojujõudmist läheb päris pimedaks. Vanaema rääkis, kuidas kõik oli siis, kui ta ise väike oli."},
	{"sk", []string{"windows-1250", "iso-8859-2"}, "Milý priateľ, včera večer som dlho premýšľal o tvojom liste. Rieka sa vyliala z brehov a most pri mlyne je zatvorený, takže sme museli ísť pešo cez kopec. Deti sa smiali, ale ja som sa bál, že kým dôjdeme domov, bude úplná tma. Babička nám rozprávala, aké to bolo, keď bola sama malá."},
	{"hr", []string{"windows-1250", "iso-8859-2"}, "Dragi prijatelju, sinoć sam dugo razmišljao o tvom pismu. Rijeka se izlila iz korita i most kod mlina je zatvoren, pa smo morali ići pješice preko brda. Djeca su se smijala, a ja sam se bojao da će prije nego što dođemo kući biti potpuno mračno. Baka nam je pričala kako je bilo kad je još bila mala, bez svjetla i željeznice."},
	{"lt", []string{"windows-1257"}, "Brangus drauge, vakar vakare ilgai galvojau apie tavo laišką. Upė išsiliejo iš krantų, o tiltas prie malūno uždarytas, todėl turėjome eiti pėsčiomis per kalvą. Vaikai juokėsi, bet aš bijojau, kad kol pareisime namo, bus visai tamsu. Močiutė pasakojo, kaip viskas buvo, kai ji pati buvo maža."},
	{"uk", []string{"windows-1251", "koi8-u"}, "Дорогий друже, вчора ввечері я довго думав про твого листа. Річка вийшла з берегів, і міст біля млина зачинено, тому нам довелося йти пішки через пагорб. Діти сміялися, а я боявся, що стемніє раніше, ніж ми дійдемо додому. Бабуся заварила нам чаю з медом і розповіла, як усе було, коли вона сама була малою. Ні світла, ні поїзда, лише коні та довгі зими. Напиши скоріше, чи приїдеш ти на весілля."},
	{"ar", []string{"windows-1256", "iso-8859-6"}, "صديقي العزيز، فكرت طويلا مساء أمس في رسالتك. فاض النهر على ضفتيه والجسر قرب الطاحونة مغلق، لذلك اضطررنا إلى السير على الأقدام فوق التل. ضحك الأطفال، أما أنا فخشيت أن يحل الظلام قبل أن نصل إلى البيت. أعدت لنا الجدة شايا بالعسل وحكت لنا كيف كانت الحياة عندما كانت صغيرة. لا نور ولا قطار، بل خيول وشتاء طويل. اكتب لي قريبا إن كنت ستأتي إلى العرس."},
	{"th", []string{"windows-874"}, "เพื่อนรัก เมื่อคืนนี้ฉันคิดถึงจดหมายของเธออยู่นาน แม่น้ำเอ่อล้นตลิ่งและสะพานข้างโรงสีถูกปิด เราจึงต้องเดินเท้าข้ามเนินเขา เด็กๆ หัวเราะ แต่ฉันกลัวว่าฟ้าจะมืดสนิทก่อนที่เราจะถึงบ้าน คุณยายชงชาใส่น้ำผึ้งให้เราและเล่าว่าชีวิตเป็นอย่างไรเมื่อท่านยังเล็ก ไม่มีไฟ ไม่มีรถไฟ มีแต่ม้าและฤดูหนาวอันยาวนาน โปรดเขียนมาบอกเร็วๆ ว่าเธอจะมางานแต่งงานหรือไม่"},
	{"ja", []string{"shift_jis", "euc-jp"}, "親愛なる友へ。昨夜はあなたの手紙のことを長いあいだ考えていました。川があふれて、水車小屋のそばの橋は閉ざされ、私たちは丘を越えて歩かなければなりませんでした。子どもたちは笑っていましたが、私は家に着く前にすっかり暗くなるのではないかと心配でした。祖母は蜂蜜の入ったお茶を入れて、自分が小さかったころの話をしてくれました。明かりも汽車もなく、あるのは馬と長い冬だけだったそうです。結婚式に来られるかどうか、早めに知らせてください。"},
	{"zh", []string{"gb18030"}, "亲爱的朋友，昨天晚上我想了很久你的来信。河水漫过了堤岸，磨坊旁边的桥已经关闭，所以我们只好步行翻过小山。孩子们都在笑，可是我担心还没到家天就完全黑了。祖母给我们泡了加蜂蜜的茶，讲起她自己小时候的事情。没有电灯，没有火车，只有马和漫长的冬天。请你早一点写信告诉我，能不能来参加婚礼，我们好准备房间。"},
	{"zh-Hant", []string{"big5"}, "親愛的朋友，昨天晚上我想了很久你的來信。河水漫過了堤岸，磨坊旁邊的橋已經關閉，所以我們只好步行翻過小山。孩子們都在笑，可是我擔心還沒到家天就完全黑了。祖母給我們泡了加蜂蜜的茶，講起她自己小時候的事情。沒有電燈，沒有火車，只有馬和漫長的冬天。請你早一點寫信告訴我，能不能來參加婚禮，我們好準備房間。"},
	{"ko", []string{"euc-kr"}, "사랑하는 친구에게. 어젯밤 나는 네 편지를 오랫동안 생각했다. 강물이 둑을 넘어 방앗간 옆 다리가 닫혔기 때문에 우리는 언덕을 걸어서 넘어야 했다. 아이들은 웃었지만 나는 집에 닿기 전에 아주 어두워질까 봐 걱정했다. 할머니는 꿀을 넣은 차를 끓여 주시고 당신이 어렸을 때 이야기를 들려주셨다. 불빛도 기차도 없고 말과 긴 겨울뿐이었다고 하셨다. 결혼식에 올 수 있는지 빨리 적어 보내 다오."},
}

// pieces cuts a text into pieces of so many characters, between words where
// there are any, that cannot pass for ASCII.
func pieces(text string, size int) (out []string) {
	runes := []rune(text)
	for at := 0; at < len(runes); at += size {
		piece := strings.TrimSpace(string(runes[at:min(at+size, len(runes))]))
		if strings.IndexFunc(piece, func(r rune) bool { return r >= 0x80 }) >= 0 && len([]rune(piece)) > size/2 {
			out = append(out, piece+"\n")
		}
	}
	return out
}

// guessSizes are the lengths of the pieces, in characters.
var guessSizes = []int{20, 50, 200, 1000}

// guessTable is the table of charsetsPage: how many pieces of each length are
// read as they were written, of how many.
func guessTable(t *testing.T) (table string, right, all [4]int) {
	var w strings.Builder
	w.WriteString("| language | charset | 20 | 50 | 200 | 1,000 |\n|---|---|---|---|---|---|\n")
	row := func(language, charset string, right, all [4]int) {
		fmt.Fprintf(&w, "| %s | %s |", language, charset)
		for i := range guessSizes {
			if all[i] == 0 {
				w.WriteString(" – |")
			} else {
				fmt.Fprintf(&w, " %d/%d |", right[i], all[i])
			}
		}
		w.WriteString("\n")
	}
	for _, s := range samples {
		for _, charset := range s.charsets {
			var r, a [4]int
			for i, size := range guessSizes {
				for _, piece := range pieces(strings.Repeat(s.text+" ", 1+size/len([]rune(s.text))), size) {
					a[i]++
					text, decision, err := read.Decode(encode(charset, piece), "")
					if string(text) == piece {
						r[i]++
					} else if testing.Verbose() {
						t.Logf("%s in %s: %s %v: %.60q", s.language, charset, decision, err, text)
					}
				}
				right[i] += r[i]
				all[i] += a[i]
			}
			row(s.language, charset, r, a)
		}
	}
	row("all", "", right, all)
	return w.String(), right, all
}

// charsetsPage has the table of guesses.
const charsetsPage = "../../docs/charsets.md"

// leastGuessed are the percentages of pieces of each length that are read as
// they were written.
var leastGuessed = [4]int{82, 89, 95, 100}

// Texts whose charset nobody names are read as they were written, the longer
// the surer, and as often as the page says.
func TestGuesses(t *testing.T) {
	table, right, all := guessTable(t)
	for i, size := range guessSizes {
		if all[i] < 30 || 100*right[i] < leastGuessed[i]*all[i] {
			t.Errorf("%d characters: %d of %d are right, want %d %% of at least 30", size, right[i], all[i], leastGuessed[i])
		}
	}
	page, err := os.ReadFile(charsetsPage)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "| language |"
	head, rest, ok := strings.Cut(string(page), begin)
	_, tail, _ := strings.Cut(rest, "\n\n")
	if !ok {
		t.Fatalf("%s has no table", charsetsPage)
	}
	if testvectors.Update() {
		if err := os.WriteFile(charsetsPage, []byte(head+table+"\n"+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !strings.Contains(string(page), "\n"+table+"\n") {
		t.Errorf("%s has another table (go test ./canon/formstest -run Guesses -update writes it):\n%s", charsetsPage, table)
	}
	t.Logf("right of all:\n%s", table)
}
