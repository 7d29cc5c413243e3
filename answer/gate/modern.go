package gate

import (
	"strings"
	"sync"
)

// anachronisms lists things, people and events with a year before which no text
// can speak of them: "year: name, name". The names are words that meant
// nothing else before. Years are early rather than exact: a doubt proceeds.
const anachronisms = `
1685: king james ii as king, revocation of the edict of nantes, peter the great
1687: principia mathematica
1688: glorious revolution, william and mary
1694: bank of england
1709: steam engine, newcomen engine
1701: frederick the great, king of prussia
1714: george i, george ii, king george, louis xv, louis xvi, maria theresa, catherine the great, handel, bach's music, house of hanover, king george i, hanoverian dynasty
1720: south sea bubble, voltaire, rousseau, benjamin franklin
1740: bonnie prince charlie, jacobite rising of 1745, lisbon earthquake, seven years' war, seven years war
1755: mozart, haydn, goethe, immanuel kant, adam smith, george washington, james watt, boston tea party, industrial revolution, marie antoinette, robespierre
1774: american revolution, american independence, american war of independence, declaration of independence, thomas jefferson, united states, united states of america, usa, us constitution, hot air balloon, hot-air balloon
1760: george iii, king george iii, american colonists revolt, benedict arnold, alexander hamilton
1780: george iv, french revolution, storming of the bastille, guillotine, napoleon, napoleon bonaparte, beethoven, jane austen, horatio nelson, lord nelson, wordsworth, lord byron
1796: vaccine, vaccination, smallpox vaccine
1800: battle of trafalgar, battle of waterloo, congress of vienna, railway, railroad, steam train, locomotive, steam locomotive, duke of wellington, gas lighting, hegel, napoleonic wars
1826: william iv, president lincoln, napoleon iii, photography, photograph, telegraph, telegram, morse code, queen victoria, victorian era, victorian age, victorians, charles dickens, charles darwin, darwin, darwinism, origin of species, karl marx, marxism, communism, communist manifesto, socialism, irish famine, gold rush, crimean war, florence nightingale, abraham lincoln, american civil war, emancipation proclamation, anaesthesia, anesthesia, postage stamp, otto von bismarck, bismarck, german unification, opium war
1850: football club, football clubs, soccer, baseball, feminism, feminist, feminists, blue jeans, cricket world, vegetarian society, salvation army, red cross, skyscraper, subway, london underground, suez canal, typewriter, electric light, electric lighting, light bulb, lightbulb, big ben, women's suffrage, suffragettes, suffragette, women's right to vote, oil refinery, bicycle, van gogh, monet, oscar wilde, sherlock holmes, mark twain
1870: telephone, telephone call, phone call, phonograph, gramophone, automobile, motor car, motorcar, motorcycle, cars, car crash, electric car, electric cars, electricity grid, power plant, power station, cinema, moving pictures, movie, movies, movie theater, film camera, eiffel tower, statue of liberty, tower bridge, jack the ripper, coca-cola, x-ray, x-rays, sigmund freud, freud, psychoanalysis, evolutionary theory, theory of evolution, germ theory, dynamite, basketball, zeppelin, fingerprinting
1894: edward vii, edward viii, george v, george vi, kaiser wilhelm, kaiser wilhelm ii, tsar nicholas ii, theodore roosevelt, woodrow wilson, pop music, rock music, hollywood, movie star, movie stars, t-shirt, t-shirts, nuclear family, income tax return, plane crash, women voting, radio, aeroplane, airplane, aircraft, air travel, powered flight, wright brothers, olympics, olympic games, boer war, nobel prize, albert einstein, einstein, theory of relativity, quantum physics, quantum mechanics, plastics, helicopter, airport, vacuum cleaner, air conditioning, subatomic particles, picasso, lenin, trotsky, winston churchill, mahatma gandhi, gandhi, titanic, sinking of the titanic
1912: first world war, world war i, world war one, world war 1, wwi, ww1, great war of 1914, second world war, world war ii, world war two, world war 2, wwii, ww2, world war iii, third world war, both world wars, world wars, russian revolution, bolsheviks, soviet union, ussr, treaty of versailles, spanish flu, league of nations, jazz, hitler, adolf hitler, nazi, nazis, nazism, fascism, mussolini, stalin, prohibition era, weimar republic, western front, tank warfare, battle of the somme
1925: television, tv, tv series, antibiotic, antibiotics, penicillin, great depression, wall street crash, talkies, supermarket, holocaust, auschwitz, spanish civil war, pearl harbor, d-day, hiroshima, atom bomb, atomic bomb, nuclear bomb, nuclear weapon, nuclear weapons, nuclear power, nuclear energy, nuclear war, united nations, nato, cold war, computer, computers, transistor, microwave oven, jet plane, jet engine, world cup, oscars, franklin roosevelt, john f. kennedy, john f kennedy, jfk, mao, mao zedong, dna, polio vaccine, apartheid, blitz, frozen food
1950: richard nixon, lyndon johnson, fidel castro, che guevara, malcolm x, rosa parks, marilyn monroe, andy warhol, vietnam war, korean war, space race, sputnik, space travel, space station, moon landing, moon landings, apollo 11, neil armstrong, beatles, rolling stones, elvis, elvis presley, rock and roll, rock 'n' roll, kennedy assassination, martin luther king, civil rights movement, berlin wall, cuban missile crisis, fast food, credit card, credit cards, birth control pill, contraceptive pill, credit rating, video game, video games, nuclear reactor, margaret thatcher, european economic community, queen elizabeth ii, elizabeth ii, supersonic flight, concorde, satellite tv, artificial intelligence, machine learning, laser, lasers, super bowl, eurovision, woodstock, hippies, robot vacuum, genetic engineering
1970: internet, email, e-mail, emails, e-mails, personal computer, laptop, mobile phone, mobile phones, cell phone, cell phones, cellphone, cellphones, microchip, star wars, aids epidemic, hiv, ronald reagan, climate change, global warming, climate crisis, greenhouse gas, same-sex marriage, gay marriage, test-tube baby, ivf, space shuttle, steve jobs, bill gates, donald trump, watergate, oil crisis, chernobyl, solar panel, solar panels, renewable energy, lgbt, punk rock, hip hop, hip-hop, gulf war, iraq war, falklands war, cloning, gps
1989: world wide web, website, websites, web browser, web page, online, online shopping, online dating, fall of the berlin wall, german reunification, maastricht treaty, european union, the eu, text message, text messages, text messaging, prozac, viagra, hubble telescope, channel tunnel, dot-com bubble, euro zone, eurozone, nelson mandela as president, dvd, wifi, wi-fi, harry potter, rwandan genocide, oklahoma city bombing, o.j. simpson trial, tony blair
1995: smartphone, smart phone, smartphones, smart phones, googled, dvd player, twin towers fell, attack on the twin towers, twin towers attack, collapse of the twin towers, world trade center attack, millennium dome, euro coins, texting, sms
1996: google, amazon.com, netflix, dolly the sheep, vladimir putin, putin, elon musk, podcast, podcasts, blog, blogs, emoji, emojis, drone strike, september 11, september 11th, 9/11, 9-11, war on terror, angela merkel, george w. bush, millennium bug, y2k, wikipedia, hybrid car, streaming service, streaming services, memes, tesla model
2002: charles iii, king charles the third, tweets, tweeted, twitter account, uber ride, gig worker, cancel culture, facebook, youtube, twitter, iphone, ipad, android phone, instagram, whatsapp, snapchat, tiktok, spotify, airbnb, linkedin, reddit, skype, barack obama, obama, social media, hashtag, hashtags, selfie, selfies, influencer, influencers, bitcoin, bitcoins, cryptocurrency, cryptocurrencies, crypto, blockchain, self-driving car, self-driving cars, autonomous vehicle, autonomous vehicles, hurricane katrina, arab spring, financial crisis of 2008, brexit, taylor swift, cloud computing, smart home, 3d printing, joe biden, biden, kamala harris, macron, emmanuel macron, boris johnson, zelensky, zelenskyy, xi jinping, greta thunberg, black lives matter, metoo, me too movement, e-scooter, e-scooters, e-bike, e-bikes, electric scooter, islamic state, crispr, war in ukraine, ukraine war, invasion of ukraine, russian invasion, large language model, large language models, ai chatbot, ai chatbots, chatbot, chatbots, deepfake, deepfakes, chatgpt, openai, covid, covid-19, covid 19, coronavirus, lockdowns, mrna vaccine, zoom call, zoom calls, zoom meeting, remote work, home office, king charles iii, prince harry and meghan, meghan markle, donald trump's presidency, capitol riot, cybertruck, generative ai, stable diffusion, midjourney, large hadron collider, higgs boson, gig economy, metaverse, fake news, vaping, e-cigarettes
`

// dated is the table of anachronisms: name → first day.
var dated = sync.OnceValue(func() *phrases[day] {
	return datedOf(anachronisms + laterThings)
})

// datedNames is the table of laterNames.
var datedNames = sync.OnceValue(func() *phrases[day] { return datedOf(laterNames) })

func datedOf(table string) *phrases[day] {
	p := &phrases[day]{of: map[string]day{}}
	for line := range strings.Lines(table) {
		year, names, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		at, _ := parsePeriod(year)
		for name := range strings.SplitSeq(names, ",") {
			p.add(strings.TrimSpace(name), at.first)
		}
	}
	return p
}

// phrases is a table of runs of words.
type phrases[T any] struct {
	of      map[string]T
	longest int // in words
}

func (p *phrases[T]) add(name string, v T) {
	words := tokens().FindAllString(fold(name), -1)
	p.of[strings.Join(words, " ")] = v
	p.longest = max(p.longest, len(words))
}

// in calls found for every run of words of s that is in the table, the longest
// at each place, with a plural or a possessive ending on its last word or
// without one.
func (p *phrases[T]) in(s string, found func(name string, v T)) {
	words := tokens().FindAllString(s, -1)
	for i := 0; i < len(words); {
		step := 1
		for n := min(p.longest, len(words)-i); n > 0; n-- {
			run := strings.Join(words[i:i+n], " ")
			v, ok := p.of[run]
			for _, end := range []string{"'s", "s", "es", "'"} {
				if ok {
					break
				}
				if base, cut := strings.CutSuffix(run, end); cut && len(base) > 2 {
					v, ok = p.of[base]
					if ok {
						run = base
					}
				}
			}
			if ok {
				found(run, v)
				step = n
				break
			}
		}
		i += step
	}
}

// thing returns the earliest day on which everything that the question names can
// be known, and the name that decides it.
func thing(q reading) (day, string) {
	d, which := noDay, ""
	latest := func(name string, since day) {
		if since > d {
			d, which = since, name
		}
	}
	dated().in(q.used, latest)
	for _, name := range q.capitals {
		datedNames().in(name, latest)
	}
	return d, which
}
