package segment

import "testing"

func TestDetect(t *testing.T) {
	tests := map[string]string{
		"The mill stood by the river, and it was old.":       "en",
		"Die Mühle stand am Fluss und sie war nicht neu.":    "de",
		"Le moulin est dans la vallée et il ne tourne pas.":  "fr",
		"El molino está en el valle y no gira por la noche.": "es",
		"O moinho é velho e não gira mais com o vento.":      "pt",
		"Il mulino è nella valle e non gira più di notte.":   "it",
		"De molen is oud en het rad draait niet meer.":       "nl",
		"Młyn jest stary i nie kręci się już od lat.":        "pl",
		"Мельница стояла у реки, и она была старой.":         "ru",
		"Ο μύλος στέκει κοντά στο ποτάμι.":                   "el",
		"水車は川のそばにある。":                                        "ja",
		"磨坊在河边。":                                             "zh",
		"الطاحونة قديمة.":                                    "ar",
		"चक्की पुरानी है।":                                   "hi",
		"Who has a hat?": "en", "Wer hat am Hochzeitstag gesprochen?": "de", "Was hat Otto gestohlen?": "de",
		"1931":     "",
		"":         "",
		"\xff\xfe": "",
		"Das Wort 磨坊 heißt Mühle und wird nicht oft gebraucht.": "de",
	}
	for text, want := range tests {
		if got := Detect(text); got != want {
			t.Errorf("Detect(%q) = %q, want %q", text, got, want)
		}
	}
}
