package html

import (
	"strings"
	"testing"
)

// What a browser shows beside the words: raised and lowered figures, numbers of
// lists, values of fields.
func TestShown(t *testing.T) {
	cases := []struct{ name, page, want string }{
		{"power", "10<sup>6</sup> m", "10⁶ m\n"},
		{"formula", "H<sub>2</sub>O, x<sub>i+1</sub>", "H₂O, xᵢ₊₁\n"},
		{"formula in n", "x<sub>n+1</sub><sup>-2</sup>", "xₙ₊₁⁻²\n"},
		{"words", "1<sup>st</sup>, M<sup>me</sup>", "1st, Mme\n"},
		{"set off", "2<sup>3/4</sup> x<sub>2a</sub>", "2^(3/4) x_(2a)\n"},
		{"fraction", "1<sup>1</sup>/<sub>2</sub>", "1¹/₂\n"},
		{"linked", "<p>1660<sup><a href=n>1</a></sup>. Then", "1660¹. Then\n"},
		{"link around", "<p>1660<a href=n><sup>1</sup></a>. Then", "1660¹. Then\n"},
		{"in brackets", "1660<sup>[1]</sup>", "1660[1]\n"},
		{"note number", "1660<sup><a href=n role=doc-noteref>1</a></sup>", "1660\n"},
		{"spaces inside", "10<sup> 6 </sup>m", "10 ⁶ m\n"},
		{"parts of a run", "10<sup>1<b>2</b></sup> 10<sup>1<i>a</i></sup>", "10¹² 10^(1a)\n"},
		{"in one another", "2<sup>2<sup>3</sup></sup> e<sup>x<sub>1</sub></sup>", "2^(2³) e^(x₁)\n"},
		{"lines in a run", "10<sup>6<br>7</sup>", "10⁶\n⁷\n"},
		{"empty run", "a<sup></sup>b<sup> </sup>c", "ab c\n"},
		{"first in an item", "<ol><li><sup>2</sup>H", "1. ²H\n"},
		{"inline style", "10<span style='Vertical-Align: super'>6</span>", "10⁶\n"},
		{"a cell's style", "<table><tr><td style='vertical-align:super'>6", "6\n"},
		{"unclosed", "<p>10<sup>6<p>7", "10⁶\n\n7\n"},
		{"in pre", "<pre>10<sup>6 </sup>  x\n</pre>", "10⁶   x\n"},
		{"mathml", "<math><msup><mi>x</mi> <mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mn>1</mn></msub></math>", "x²+y₁\n"},
		{"mathml sum", "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover></math>", "∑ᵢ₌₁ⁿ\n"},
		{"mathml fraction", "3<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot></math>", "3(1)/(2)√(2)³√(x)\n"},
		{"deeply", strings.Repeat("<sup>", 40) + "2", strings.Repeat("^(", 7) + "²" + strings.Repeat(")", 7) + "\n"},

		{"numbers", "<ol><li>a<li>b</ol>", "1. a\n2. b\n"},
		{"start", "<ol start=9><li>a<li>b</ol>", "9. a\n10. b\n"},
		{"start below", "<ol start=' -1x'><li>a<li>b</ol>", "-1. a\n0. b\n"},
		{"reversed", "<ol reversed><li>a<li hidden>b<li>c</ol>", "2. a\n1. c\n"},
		{"reversed from", "<ol reversed start=7><li>a<li>c<ol><li>d</ol></ol>", "7. a\n6. c\n1. d\n"},
		{"value", "<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c\n"},
		{"letters", "<ol type=a start=26><li>a<li>b</ol><ol type=A><li>c</ol>", "z. a\naa. b\n\nA. c\n"},
		{"roman", "<ol type=i start=3><li>a<li>b</ol><ol type=I start=1994><li>c</ol><ol type=i start=4000><li>d</ol><ol type=a start=0><li>e</ol>", "iii. a\niv. b\n\nMCMXCIV. c\n\n4000. d\n\n0. e\n"},
		{"an item's type", "<ol><li>a<li type=a>b<li>c</ol>", "1. a\nb. b\n3. c\n"},
		{"nested", "<ol><li>a<ol type=a><li>b<li>c</ol><li>d<ul><li>e</ul></ol>", "1. a\na. b\nb. c\n2. d\ne\n"},
		{"nested at once", "<ol><li><ol><li>a</ol></ol>", "1. 1. a\n"},
		{"paragraphs", "<ol><li><p>a</p><p>b</p><li><p>c</p></ol>", "1. a\n\nb\n\n2. c\n"},
		{"empty items", "<ol><li><li> <li>a</ol>b", "1.\n2.\n3. a\n\nb\n"},
		{"not numbered", "<ol style='list-style: none'><li>a<li style='list-style-type:decimal'>b</ol><ol type=none><li>c</ol><ol><li style='display:block'>d<li>e</ol>", "a\n2. b\n\nc\n\nd\n1. e\n"},
		{"style", "<ol type=a style='list-style-type: Upper-Roman !important'><li>a</ol><ul style='list-style:inside decimal'><li>b</ul><ol style='list-style:inside'><li>c</ol>", "I. a\n\n1. b\n\nc\n"},
		{"navigation", "<nav><ol><li>a</ol></nav><div role=doc-toc><ol><li>b</ol></div><ol><li>c</ol>", "a\n\nb\n\n1. c\n"},
		{"no list", "<li value=3>a", "a\n"},
		{"item in a division", "<ol><div><li>a</div><li>b</ol>", "1. a\n\n2. b\n"},
		{"table in an item", "<ol><li><table><tr><td><td>a</table></ol>", "1. \ta\n"},

		{"fields", "Name: <input value=Pepys><input type=SUBMIT value=' Go '> now", "Name: Pepys Go now\n"},
		{"numbers beside", "5<input type=number value=6>7", "5 6 7\n"},
		{"fields not shown", "a<input type=hidden value=b><input type=password value=c><input type=range value=3><input>d", "ad\n"},
		{"boxes", "<input type=checkbox checked>a <input type=checkbox>b <input type=radio>c<input type=radio checked>d", "☑ a ☐ b ○ c ◉ d\n"},
		{"options", "<select><option>a<option selected>b</select>", "a\n◉ b\n"},
		{"heading behind blanks", "<pre>a     <h1>x</h1></pre>", "a\n\nx\n"},
	}
	for _, c := range cases {
		if got := string(form(t, c.page).Payload); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
