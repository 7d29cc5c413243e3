package read

// A lettersModel says which letters beyond ASCII a language is written with,
// those of a text's tenth part first. It knows nothing of words.
type lettersModel struct {
	language string
	charsets []string // that such texts come in, the likelier first
	script   script
	// Lower case; capitals are derived, but for the dotted I of Turkish.
	common, usual, rare string
}

// A script decides whether a letter may adjoin ASCII letters.
type script uint8

const (
	latin script = iota
	alone        // Greek, Cyrillic, Hebrew, Arabic, Thai: no word mixes it with ASCII
	eastAsian
)

var (
	western = []string{"windows-1252"}
	central = []string{"windows-1250", "iso-8859-2"}
	baltic  = []string{"windows-1257", "iso-8859-13"}
)

// lettersModels are frozen with the name Letters: a change is another version.
var lettersModels = []lettersModel{
	{"de", western, latin, "äüöß", "", "é"},
	{"fr", western, latin, "éèàê", "çùâôîûëïœ", "æüÿ"},
	{"es", western, latin, "óáíé", "ñú", "ü"},
	{"pt", western, latin, "ãçáé", "óíêõâàú", "ôü"},
	{"it", western, latin, "èàòù", "éì", "îó"},
	{"nl", western, latin, "ëé", "ïèü", "öáóê"},
	{"sv", western, latin, "äåö", "", "éà"},
	{"da", western, latin, "øåæ", "", "éôò"},
	{"et", western, latin, "äõüö", "", "šž"},
	{"is", western, latin, "áíðóþ", "öéúýæ", ""},
	{"cs", central, latin, "íáěéřýčžš", "ůú", "ťňďó"},
	{"sk", central, latin, "áíýčžéš", "úťľô", "ňäóďŕĺ"},
	{"pl", central, latin, "ęąłó", "żśćńź", ""},
	{"hu", central, latin, "áéóöő", "íüúű", ""},
	{"ro", central, latin, "ăîâşţ", "", "é"},
	{"hr", central, latin, "čžš", "ćđ", "é"},
	{"tr", []string{"windows-1254"}, latin, "ıüşğçöİ", "", "âîû"},
	{"lt", baltic, latin, "ėųšįž", "čūąę", ""},
	{"lv", baltic, latin, "āīēšū", "ņļķžģč", ""},
	{"ru", []string{"windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic"}, alone, "оеаинтсрвл", "кмдпуяыьгзбчй", "хжшюцщэфъё"},
	{"uk", []string{"windows-1251", "koi8-u"}, alone, "оаниівтрес", "лкумдпзьяйєї", "гбчхцюжшщфґ"},
	{"el", []string{"windows-1253", "iso-8859-7"}, alone, "αοιετσνηυρ", "πκμλςωίόάγέδθήχφύ", "βώξζψϊΐϋ"},
	{"he", []string{"windows-1255", "iso-8859-8"}, alone, "יוהלאתרבמש", "נעחקדפםכצ", "סטזגןךףץ"},
	{"ar", []string{"windows-1256", "iso-8859-6"}, alone, "اليمونرتبةعدسفهك", "قأحجشصطخىذ", "زضغثءئظإؤآ،"},
	{"th", []string{"windows-874"}, alone, "านรอกเง่มยลวด้ทสตะปบคหแจพชขใีไิัผู", "โซณฟญึุำเธศถ์ืษภๆฐ", "ฉฎฮฝฆฏฒฬฑฌฤฯ็๊๋฿"},
	{"ja", []string{"shift_jis", "euc-jp"}, eastAsian, "のいたしとにはてをなかるがでっれもすらま、。ん", "りこさくきそあけどだつうよせめみばえわちねおじごょしゃゅひやへぎぶずろふべげ「」ーンスルトアイクリタ", "ゆむびざほぬぐぜょッラマドカロシバフレコデテプグサオニキパチムメダジナセソノハミボモヤペワ日人私家年月本見行来"},
	{"zh", []string{"gb18030"}, eastAsian, "的一是了我不在有他这，。", "人们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间知世什两次使身者被高已亲其进此话常与活正感", "见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快原吃妈变通师立象数四失满战远格士音轻目条呢"},
	{"zh-Hant", []string{"big5"}, eastAsian, "的一是了我不在有他這，。", "人們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間知世什兩次使身者被高已親其進此話常與活正感", "見明問力理爾點文幾定本公特做外孩相西果走將月十實向聲車全信重三機工物氣每並別真打太新比才便夫再書部水像眼等體卻加電主界門利海受聽表德少克代員許先口由死安寫性馬光白或住難望教命花結樂色更拉東神記處讓母父應直字場平報友關放至張認接告入笑內英軍候民歲往何度山覺路帶萬男邊風解叫任金快原吃媽變通師立象數四失滿戰遠格士音輕目條呢"},
	{"ko", []string{"euc-kr"}, eastAsian, "이다는에을의가고지하은도로사어한를기리아나자", "서해시인그대정일스부라보과제들만전수것으게여니면었있주연상구장않적조없생러모까던동신우마요세오거소말안경원선내습저내무비할위공성방문화국때두계간산했물더집람학년중미", "날음유터분치진명관회발개당와르난실식심달속양노단용체결강단금운통바입반재현출잡절행업차외살남길손름종열복건특표민강친책합작불길청교편월트각크른려번파온려잠질"},
}
