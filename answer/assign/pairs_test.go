package assign

import (
	"strings"
	"testing"

	"muniment/cite"
)

// changed are pairs, text and claims after "=>" and "|", in which each claim changes a number, a date,
// a name, a role, an attribute, a quantity, a tense or a negation of the text, or leaves out what limits it.
const changed = `
John was born in 1870 and died in 1925. => John was born in 1925 and died in 1870. | John was born in 1925. | John died in 1870.
Karl wurde 1870 geboren und starb 1925. => Karl wurde 1925 geboren. | Karl starb 1870. | Karl wurde 1925 geboren und starb 1870.
My mother is alive and my father is dead. => My mother is dead. | My father is alive. | Her mother is dead. | My mother and my father is dead.
The barn is red and the house is white. => The barn is white. | The house is red.
The cow weighs 400 pounds and the calf weighs 90 pounds. => The cow weighs 90 pounds. | The calf weighs 400 pounds.
The bread costs 2 crowns and the butter costs 9 crowns. => The bread costs 9 crowns. | The butter costs 2 crowns.
The flood of 1871 spared the mill, the fire of 1899 destroyed it. => The flood of 1899 spared the mill. | The fire of 1871 destroyed it. | The flood of 1871 destroyed it.
In 1901 we built the barn and in 1911 we built the school. => In 1901 we built the school. | We built the barn in 1911. | They built the school in 1901. | In 1911 we built the barn.
Uncle Max owned the mill until 1920, then Aunt Ida owned it until 1940. => Uncle Max owned the mill until 1940. | Aunt Ida owned it until 1920. | Uncle Max owned the mill.
The school has 40 pupils in summer and 65 in winter. => The school has 40 pupils in winter. | The school has 65 pupils. | The school has 65 pupils in summer. | The school has 40 pupils.
All but two of the windows were broken. => All of the windows were broken. | Two of the windows were broken. | All the windows were broken.
We paid less than 50 crowns. => We paid 50 crowns. | They paid 50 crowns. | We paid more than 50 crowns.
Wir zahlten weniger als 50 Kronen. => Wir zahlten 50 Kronen. | Wir zahlten mehr als 50 Kronen.
I would rather starve than sell the mill. => I would sell the mill. | She would "sell the mill". | She would sell the mill. | She would rather sell the mill than starve. | I would starve.
The mill will be sold. => The mill is sold. | The mill was sold. | The mill will not be sold. | The mill would be sold.
The house was not only cold but also wet. => The house was not cold. | The house was cold. | The house was not wet.
Karl seldom drank wine. => Karl drank wine. | Karl often drank wine. | Karl never drank wine.
Few people came to the burial. => People came to the burial. | A few people came to the burial. | Many people came to the burial.
Once the mill was ours. => The mill was ours. | The mill is ours. | Once the mill was Peter's.
The roof was repaired in part. => The roof was repaired. | In part.
The child is too young to work. => The child is young to work. | The child is young. | The child is too old to work.
In the City died this week 7496, and of them 6102 of the plague. => In the City died this week 6,102. | In the City died this week 6102 of the plague. | 6102 died this week in the City. | Of them 7496 of the plague.
In 1870 Max died, and John lived. => John | died in 1870 | John died in 1870. | In 1870 John died.
The miller Max died in 1870 and John came in 1868. => John died in 1870. | Max came in 1868. | John came in 1870. | The miller died in 1868.
We bought 12 hens and 3 geese. => We bought 3 hens. | We bought 12 geese. | We bought 3 hens and 12 geese. | We bought hens. | We bought 15 hens.
Peter owes me 5 crowns. => I owe Peter 5 crowns. | She owes Peter 5 crowns. | Peter owes Clara 5 crowns. | Peter owed me 5 crowns. | Peter owes me 50 crowns.
The lease ran from 1880 to 1890. => The lease ran from 1890 to 1880. | The lease ran to 1880. | The lease runs from 1880 to 1890.
My grandfather was born on 3 May 1801. => My grandfather was born on 5 March 1801. | My grandfather was born on 3 May 1810. | My grandmother was born on 3 May 1801. | She was born on 3 May 1801. | His grandmother was born on 3 May 1801.
Anna is older than Clara. => Clara is older than Anna. | Anna is older. | Anna is younger than Clara. | Anna is old.
The river is wider here than at Steyr. => The river is wider at Steyr. | The river is wide here. | The river is wider at Steyr than here.
The new mill is as large as the old one. => The old mill is large. | The new mill is large. | The new mill is larger than the old one.
Most of the men returned. => The men returned. | All of the men returned. | Most of the women returned. | Some of the men returned.
None of the letters arrived. => The letters arrived. | One of the letters arrived. | All of the letters arrived.
Hardly any snow fell. => Any snow fell. | Snow fell. | Much snow fell.
Every second tree died. => Every tree died. | The second tree died. | Every second tree lived.
Half of the harvest was lost. => The harvest was lost. | Half of the harvest was saved. | Half of the flour was lost.
At least ten men died. => Ten men died. | At most ten men died. | Ten men lived.
About 300 people came. => 300 people came. | About 30 people came. | Over 300 people came.
Nearly a hundred geese were sold. => A hundred geese were sold. | Geese were sold. | Nearly a hundred geese were stolen.
We lost almost everything. => We lost everything. | They lost everything. | We almost lost everything.
If Peter pays, the mill is ours. => The mill is ours. | Peter pays. | The mill is ours, Peter pays.
Unless it rains, we begin on Monday. => We begin on Monday. | It rains. | They begin on Monday.
Had Karl come, the barn was saved. => The barn was saved. | Karl had come. | Karl saved the barn.
The mill is ours provided we pay. => The mill is ours. | We pay.
Peter says the mill was sold. => The mill was sold. | Peter sold the mill. | Clara says the mill was sold.
They say that Max drank. => Max drank. | They drank. | Max says that they drank.
I heard Peter was dead. => Peter was dead. | She was dead. | Peter heard she was dead.
According to Clara, the bridge fell. => The bridge fell. | Clara fell. | According to Peter, the bridge fell.
The mill burned, Clara wrote. => The mill burned. | Clara burned the mill. | Peter wrote the mill burned.
It is not true that Peter stole the horse. => Peter stole the horse. | It is true that Peter stole the horse.
Peter denied that he stole the horse. => He stole the horse. | Peter stole the horse.
I dreamed that the house burned. => The house burned. | She dreamed. | I burned the house.
In my dream the house burned. => The house burned. | The house burned in my dream yesterday.
Perhaps Karl sold the horse. => Karl sold the horse. | Karl perhaps bought the horse.
Karl may have sold the horse. => Karl sold the horse. | Karl has sold the horse. | Karl may have bought the horse.
Karl must sell the horse. => Karl sells the horse. | Karl sold the horse. | Karl must buy the horse.
Karl wanted to sell the horse. => Karl sold the horse. | Karl wanted the horse. | Karl wanted to buy the horse.
Karl tried to swim. => Karl swam. | Karl tried.. to drown. | Karl tried to drown.
Karl could swim. => Karl swam. | Karl can swim. | Karl could not swim.
Karl should have paid. => Karl paid. | Karl should pay. | Karl has paid.
The bridge is to be built in 1905. => The bridge is built in 1905. | The bridge was built in 1905. | The bridge is to be built in 1906.
The bridge is being built. => The bridge is built. | The bridge was built. | The bridge is being repaired.
I shall marry Peter. => I married Peter. | She married Peter. | She marries Peter. | Anna Brandt married Peter.
I am going to sell the cow. => I sold the cow. | She sold the cow. | She is selling the cow.
Karl used to smoke. => Karl smokes. | Karl smoked. | Karl used to drink.
I lived in Linz. => She lives in Linz. | She lived in Steyr. | Peter lived in Linz. | She lived in Linz in 1931.
I read the letter. => She reads the letter. | She read the letters. | He reads the letter.
Karl was once the mayor. => Karl was the mayor. | Karl is the mayor. | Karl was once the miller.
Karl was formerly the mayor. => Karl was the mayor. | Karl is the mayor.
I sold the cow, the calf and the goat to Peter. => I sold the pig to Peter. | Peter sold the cow, the calf and the goat to me. | She sold the goat, the cow and the sheep to Peter.
Peter and Clara visited Max and Ida. => Max and Ida visited Peter and Clara. | Peter and Max visited Clara and Ida. | Peter visited Ida and Clara.
Clara planted beans and Peter planted peas. => Clara planted peas. | Peter planted beans. | Clara and Peter planted peas. | Clara planted beans and peas.
Neither Peter nor Clara came. => Peter came. | Clara came. | Peter and Clara came.
Either Peter or Clara stole it. => Peter stole it. | Clara stole it. | Peter and Clara stole it.
Peter or Clara paid. => Peter paid. | Clara paid. | Peter and Clara paid.
Not Peter but Clara paid. => Peter paid. | Not Clara but Peter paid. | Peter but Clara paid.
Clara paid, not Peter. => Peter paid. | Clara, Peter paid. | Clara did not pay.
Instead of Peter, Clara paid. => Peter paid. | Peter, Clara paid. | Instead of Clara, Peter paid.
Peter sold the horse for Clara. => Clara sold the horse. | Clara sold the horse for Peter. | Peter sold Clara the horse. | Peter bought the horse for Clara.
The letter was written by Clara to Peter. => The letter was written by Peter to Clara. | Peter wrote the letter. | The letter was written by Peter. | The letter was written to Clara.
Clara was bitten by the dog. => The dog was bitten by Clara. | Clara bit the dog. | Clara was bitten by the cat.
He gave her the book. => She gave him the book. | He gave him the book. | Anna Brandt gave her the book. | She gave her the book.
I sold her cow. => She sold her cow. | Anna sold her cow. | Anna Brandt sold her cow. | I sold my cow. | She sold my cow.
She sold my cow. => She sold her cow. | Anna Brandt sold her cow. | I sold my cow.
My brother's wife died. => My brother died. | My wife died. | Her brother died. | My brother's wives died. | His brother's son died.
Peter's father is the smith. => Peter is the smith. | Peter's father was the smith. | The smith's father is Peter. | Peter's brother is the smith.
The smith's son married the baker's daughter. => The baker's son married the smith's daughter. | The smith married the baker's daughter. | The smith's son married the baker. | The smith's daughter married the baker's son.
Peter told me: “I stole the horse.” => She stole the horse. | Anna Brandt stole the horse. | He stole the horse.
“I hate Linz,” said Clara. => She hates Linz. | Anna Brandt hates Linz. | I hate Linz.
Did Peter sell the horse? => Peter sold the horse. | Peter did sell the horse. | Did Peter buy the horse.
The man who sold the mill and the barn died. => The barn died. | The man sold the mill. | The man died. | The man who sold the barn died.
Karl, who was ill, sold the mill to Max. => Max sold the mill. | Max was ill. | Karl, who was well, sold the mill to Max.
Karl was beaten and robbed. => Karl robbed. | Karl beat. | Karl was beaten and hanged. | Karl beat and robbed.
Karl never drank and smoked. => Karl smoked. | Karl drank and smoked. | Karl drank.
Clara saw Peter leave and Max arrive. => Max left. | Peter arrived. | Clara saw Max leave. | Clara arrived.
The cow gave 3,5 pounds of butter. => The cow gave 35 pounds of butter. | The cow gave 5 pounds of butter. | The cow gave 3 pounds of butter. | The cow gave 3,500 pounds of butter.
It was -5 degrees. => It was 5 degrees. | It was -15 degrees. | It is -5 degrees.
We paid $50. => We paid £50. | We paid 50. | We paid $500. | They paid £50.
The interest is 5%. => The interest is 5. | The interest is 50%. | The interest was 5%.
It took 5 1/2 days. => It took 5 days. | It took 2 days. | It took 1/2 days. | It took 51/2 days.
It lasted 5-7 days. => It lasted 5 days. | It lasted 7 days. | It lasted 57 days. | It lasted 5, 7 days.
The 2nd house burned. => The 2 house burned. | The 3rd house burned. | The house burned. | 2 houses burned.
Twenty-five men died. => Twenty men died. | Five men died. | Twenty-six men died. | 20 men died.
Two hundred men died. => Two men died. | A hundred men died. | Hundred men died. | 2 men died.
A dozen eggs cost 3 crowns. => Eggs cost 3 crowns. | A egg cost 3 crowns. | A dozen eggs cost 12 crowns. | 3 eggs cost a dozen crowns.
I have few friends. => I have a few friends. | She has friends. | She has a few friends. | She has many friends.
I have little money. => I have a little money. | She has money. | She has a little money.
The vicar came at 6 and the doctor at 9. => The vicar came at 9. | The doctor came at 6. | The vicar came at 6 and 9.
On Monday Clara came, on Tuesday she left. => On Tuesday Clara came. | On Monday she left. | Clara left on Monday. | Clara came on Tuesday.
In May we sowed, in June we mowed. => In June we sowed. | We mowed in May. | They sowed in June.
I met Max before the war and Ida after it. => I met Ida before the war. | She met Max after it. | She met Ida before the war. | She met Max after the war.
In 1911 I built the barn. => In 1931 she built the barn. | She built the barn in 1931. | On 3 May 1931 she built the barn. | In 1912 she built the barn.
I was born in Steyr. => In 1931 she was born in Steyr. | She was born in Steyr in 1931. | On 3 May 1931 she was born. | She was born in Linz.
Yesterday Karl died. => On 3 May 1931 Karl died. | Karl died on 3 May 1931. | Today Karl died. | Tomorrow Karl dies.
All the cows in the barn died. => All the cows died. | The cows in the barn died. | The cows died. | All the cows in the field died.
We lost the cows in the barn. => We lost the cows. | We lost the cows in the field. | They lost the cows.
I never saw Peter in May. => I never saw Peter. | She never saw Peter. | I saw Peter in May. | In May she saw Peter.
Only Peter knew the way. => Peter knew the way. | Only Clara knew the way. | Peter only knew the way. | Only Peter knew.
Peter was the first to leave. => Peter was the first. | Peter was the last to leave. | Peter was first to sell.
The wheel is the oldest in the valley. => The wheel is the oldest. | The wheel is old. | The wheel was the oldest in the valley. | The mill is the oldest in the valley.
Clara sold the false gold. => Clara sold the gold. | Clara sold gold. | Clara bought the false gold.
The former mayor shot Max. => The mayor shot Max. | Max shot the former mayor. | The former mayor shot.
The wheel was not broken. => The wheel was broken. | The wheel is not broken. | The wheel was not repaired.
The wheel wasn't broken. => The wheel was broken. | The wheel isn't broken.
Without Peter we were lost. => With Peter we were lost. | We were lost. | Peter was lost. | They were lost.
Clara almost died in May. => Clara died in May. | Clara died. | In May Clara died. | Clara almost died in June.
Clara died, or so I thought. => Clara died. | I died. | She thought.
The doctor forgot to come. => The doctor came. | The doctor forgot. | The doctor comes.
The doctor promised to come. => The doctor came. | The doctor comes. | The doctor promised.. nothing. | The doctor promised.
Peter failed to pay Clara. => Peter paid Clara. | Clara failed to pay Peter. | Peter failed Clara. | Peter failed.
Peter avoided Clara and visited Max. => Peter visited Clara. | Peter avoided Max. | Max visited Clara. | Clara visited Max.
The Miller came. => The miller came to Linz. | The Millers came. | The Smith came.
I saw the Miller. => I saw the miller. | She saw the miller. | She saw the Millers.
Karl besaß die Mühle bis 1920, dann besaß Ida sie bis 1940. => Karl besaß die Mühle bis 1940. | Ida besaß sie bis 1920. | Karl besaß die Mühle.
Die Scheune ist rot und das Haus ist weiß. => Die Scheune ist weiß. | Das Haus ist rot.
Alle bis auf zwei Fenster waren zerbrochen. => Alle Fenster waren zerbrochen. | Zwei Fenster waren zerbrochen.
Karl trank selten Wein. => Karl trank Wein. | Karl trank oft Wein. | Karl trank nie Wein.
Das Dach wurde zum Teil repariert. => Das Dach wurde repariert. | Das Dach ist repariert.
Die Mühle wird verkauft werden. => Die Mühle wird verkauft. | Die Mühle wurde verkauft. | Die Mühle ist verkauft.
Wenn Peter zahlt, ist die Mühle unser. => Die Mühle ist unser. | Ist die Mühle unser. | Peter zahlt.
Man sagt, Max habe getrunken. => Max hat getrunken. | Max trank. | Max habe getrunken.
Ich habe keine Kuh verkauft. => Ich habe eine Kuh verkauft. | Sie hat eine Kuh verkauft. | Sie hat keine Kuh gekauft.
Peter gab Clara das Buch. => Clara gab Peter das Buch. | Peter gab Max das Buch. | Peter gab Clara das Geld.
Ich verkaufte ihre Kuh. => Sie verkaufte ihre Kuh. | Anna verkaufte ihre Kuh. | Ich verkaufte meine Kuh.
Fast hundert Gänse starben. => Hundert Gänse starben. | Gänse starben. | Fast hundert Kühe starben.
Weder Karl noch Ida kam. => Karl kam. | Ida kam. | Karl und Ida kam.
Karl kam 1890 und Ida ging 1891. => Karl kam 1891. | Ida ging 1890. | Ida kam 1890. | Karl ging 1891.
Clara says I planted peas and Peter planted beans. => Peter planted beans. | She planted peas. | Clara planted peas.
Max owns two mills in Steyr and one in Linz. => Max owns two mills in Linz. | Max owns one in Steyr. | Max owns two mills. | Max owns one mill in Linz.
The boy, beaten by Peter, left Linz. => Peter left Linz. | The boy beat Peter. | The boy beaten by Peter left Steyr. | The boy, beaten by Clara, left Linz.
`

// restated are pairs in which the text supports each claim.
const restated = `
John was born in 1870 and died in 1925. => John was born in 1870. | John died in 1925. | John was born in 1870 and died in 1925. | In 1870 John was born.
Karl wurde 1870 geboren und starb 1925. => Karl starb 1925. | Karl wurde 1870 geboren.
My mother is alive and my father is dead. => My mother is alive. | My father is dead. | Her mother is alive. | Anna Brandt's father is dead.
The barn is red and the house is white. => The barn is red. | The house is white.
In 1901 we built the barn and in 1911 we built the school. => In 1901 we built the barn. | We built the school in 1911. | They built the barn in 1901. | They built the barn.
The flood of 1871 spared the mill, the fire of 1899 destroyed it. => The flood of 1871 spared the mill. | The fire of 1899 destroyed it.
We paid less than 50 crowns. => They paid less than 50 crowns. | We paid less than fifty crowns.
Karl seldom drank wine. => Karl seldom drank wine
The mill will be sold. => The mill will be sold
Yesterday I planted three young apple trees behind the barn. => She planted three apple trees. | Anna planted three young apple trees behind the barn. | Yesterday she planted three apple trees behind the barn. | She planted three young apple trees.
This spring I planted three apple trees. => In the spring of 1931 she planted three apple trees. | In 1931 she planted three apple trees.
Today Peter repaired the mill wheel. => On 3 May 1931 Peter repaired the mill wheel. | Peter repaired the mill wheel on 3 May 1931. | In May 1931, Peter repaired the mill wheel. | Peter repaired the mill wheel.
On Friday Peter repaired the old mill. => Peter repaired the mill. | On Friday, Peter repaired the mill. | Peter repaired the old mill on Friday.
Peter paid Clara 5 shillings for the goose. => Peter paid Clara five shillings. | Peter paid Clara five shillings for the goose.
I sold my cow. => She sold her cow. | He sold his cow. | Anna Brandt sold her cow. | Anna sold her cow.
I have two sisters. => She has two sisters. | Anna Brandt has 2 sisters.
I am the miller. => She is the miller. | Anna Brandt is the miller.
I never eat meat. => She never eats meat. | Anna never eats meat.
I carry water. => She carries water.
I did not plant the peas. => She did not plant the peas. | She didn't plant the peas.
I gave him my scarf. => She gave him her scarf. | Anna gave him her scarf.
Peter gave me a book in 1929. => Peter gave her a book in 1929. | Peter gave her a book. | In 1929 Peter gave her a book.
Clara planted beans and Peter planted peas. => Clara planted beans. | Peter planted peas.
I bought sugar. Then I sold the eggs to the baker. => She bought sugar and sold the eggs. | She bought sugar and sold the eggs to the baker.
The mill burned. Nobody died. => The mill burned and nobody died.
Because the mill burned, Peter left. => Peter left.
On Monday Clara came, on Tuesday she left. => Clara came on Monday. | On Monday Clara came. | Clara came.
The church was built in 1704. => In 1704 the church was built. | The church was built.
In the night the mill burned. => The mill burned. | The mill burned in the night.
Matthias repaired the wheel in the morning. => Matthias repaired the wheel. | In the morning Matthias repaired the wheel.
He had 8,252 crowns. => He had 8252 crowns.
Ich verkaufte meine Kuh. => Sie verkaufte ihre Kuh. | Anna Brandt verkaufte ihre Kuh. | Er verkaufte seine Kuh.
Ich habe zwei Schwestern. => Sie hat zwei Schwestern. | Sie hat 2 Schwestern.
Die Scheune ist rot und das Haus ist weiß. => Die Scheune ist rot. | Das Haus ist weiß.
Karl kam 1890 und Ida ging 1891. => Karl kam 1890. | Ida ging 1891.
Matthias Kern repaired the wheel in nine days. => Matthias Kern repaired the wheel. | Matthias Kern repaired the wheel in 9 days. | Kern repaired the wheel.
The harvest was good in spite of the rain. => Despite the rain the harvest was good.
Peter purchased the mill. => Peter bought the mill.
Clara, the smith's daughter, married Max in May. => Clara married Max in May. | Clara married Max.
We boiled nettles and the last of the turnips. => They boiled nettles. | They boiled nettles and the last of the turnips.
`

func pairs(t *testing.T, list string, least int) (out [][2]string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(list)) {
		text, claims, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			t.Fatalf("%q: no =>", line)
		}
		for c := range strings.SplitSeq(claims, " | ") {
			out = append(out, [2]string{text, c})
		}
	}
	if len(out) < least {
		t.Fatalf("%d pairs, want at least %d", len(out), least)
	}
	return out
}

func TestChangedNeverAligns(t *testing.T) {
	list := pairs(t, changed, 400)
	for _, p := range list {
		if e := onText(t, p[1], p[0], ""); e.Aligned {
			t.Errorf("%q aligned as %s with %q", p[1], e.Relation, p[0])
		}
		if e := onText(t, p[1], "Dear Clara. "+p[0]+" It rained.", "Anna Brandt"); e.Aligned {
			t.Errorf("%q aligned as %s with %q between other sentences", p[1], e.Relation, p[0])
		}
	}
	t.Logf("%d claims that change a text: none aligned is wanted", len(list))
}

// Recall is not what is promised: the figure is printed, and a floor kept.
func TestRestatedRecall(t *testing.T) {
	list := pairs(t, restated, 60)
	n := 0
	for _, p := range list {
		if e := onText(t, p[1], p[0], ""); e.Aligned && (e.Relation == cite.Paraphrase || e.Relation == cite.DirectQuote) {
			n++
		} else {
			t.Logf("not aligned: %q with %q: %v", p[1], p[0], e.Tests)
		}
	}
	t.Logf("%d of %d restatements align (recall %.2f)", n, len(list), float64(n)/float64(len(list)))
	if n*100 < len(list)*79 {
		t.Errorf("recall fell to %d of %d", n, len(list))
	}
}
