package enforce

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Event is what became of one question. The question is not in it.
type Event struct {
	Time      time.Time
	Persona   string // name of the profile
	Type      QueryType
	Rung      string // of an answer: supported, narrowed or labeled; "" where it is not known
	Refused   bool
	Kind      string // of a refusal, as it was shown: category, coverage, consent
	Reason    string // of a refusal: a Reason, the category, or the kind where nothing finer is known
	Measured  bool   // whether retrieval was reached: then the numbers below count
	Best      int    // best similarity, in ten-thousandths
	Threshold int
	Sources   int
}

// Metrics are the sums of the contract over a run of events.
type Metrics struct {
	Questions  int            `json:"questions"`
	Refused    int            `json:"refused"`
	Personas   []PersonaCount `json:"personas"` // sorted by name
	Rungs      []Count        `json:"rungs"`    // supported, narrowed, labeled, refused
	Kinds      []Count        `json:"kinds"`
	Reasons    []Count        `json:"reasons"`
	Types      []Count        `json:"query_types"`
	Similarity float64        `json:"average_similarity"` // of the best result, over the questions that reached retrieval
	Reached    int            `json:"reached_retrieval"`
	Sources    []Count        `json:"source_counts"` // how many sources were found: 0, 1, 2, 3, 4, "5 or more"
}

// A PersonaCount is the refusal rate of one profile.
type PersonaCount struct {
	Persona   string  `json:"persona"`
	Questions int     `json:"questions"`
	Refused   int     `json:"refused"`
	Rate      float64 `json:"refusal_rate"` // 0 to 1
}

// A Count is one line of a distribution.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Measure sums events.
func Measure(events []Event) Metrics {
	m := Metrics{Questions: len(events), Personas: []PersonaCount{}}
	personas := map[string]*PersonaCount{}
	kinds, reasons, types, sources, rungs := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	total := 0
	for _, e := range events {
		p := personas[e.Persona]
		if p == nil {
			p = &PersonaCount{Persona: e.Persona}
			personas[e.Persona] = p
		}
		p.Questions++
		types[string(e.Type)]++
		if e.Refused {
			p.Refused++
			m.Refused++
			kinds[e.Kind]++
			reasons[e.Reason]++
			rungs["refused"]++
		} else if e.Rung != "" {
			rungs[e.Rung]++
		}
		if e.Measured {
			m.Reached++
			total += e.Best
			sources[[]string{"0", "1", "2", "3", "4", "5 or more"}[min(max(e.Sources, 0), 5)]]++
		}
	}
	for _, p := range personas {
		p.Rate = float64(p.Refused) / float64(p.Questions)
		m.Personas = append(m.Personas, *p)
	}
	slices.SortFunc(m.Personas, func(a, b PersonaCount) int { return strings.Compare(a.Persona, b.Persona) })
	if m.Reached > 0 {
		m.Similarity = float64(total) / float64(m.Reached) / 10_000
	}
	m.Rungs = counts(rungs, true)
	m.Kinds, m.Reasons, m.Types, m.Sources = counts(kinds, true), counts(reasons, true), counts(types, true), counts(sources, false)
	return m
}

// counts lists a distribution, the most frequent first or by name.
func counts(m map[string]int, byCount bool) []Count {
	out := []Count{}
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		if byCount && a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// The thresholds of the alerts.
const (
	MaxRefusalRate = 0.5 // of a profile
	MinSimilarity  = 0.5 // average of the best results
	SpikeFactor    = 3   // times the daily mean of the week before
	MinSpike       = 3   // refusals a day: fewer are no spike
	MinQuestions   = 20  // of a profile, or in all: a rate of fewer says nothing
)

// An Alert is a threshold that was crossed.
type Alert struct {
	Name    string `json:"name"` // refusal_rate, no_citeable_content_spike, low_average_similarity
	Persona string `json:"persona,omitempty"`
	Message string `json:"message"`
}

// Alerts compares events with the thresholds. A spike is of the day before
// now, against the seven days before that.
func Alerts(events []Event, now time.Time) []Alert {
	out := []Alert{}
	m := Measure(events)
	for _, p := range m.Personas {
		if p.Rate > MaxRefusalRate && p.Questions >= MinQuestions {
			out = append(out, Alert{"refusal_rate", p.Persona, fmt.Sprintf("%d of %d questions in the profile %s were refused, more than half", p.Refused, p.Questions, p.Persona)})
		}
	}
	today, before := 0, 0
	for _, e := range events {
		if e.Reason != string(NoCiteableContent) || e.Time.After(now) {
			continue
		}
		switch age := now.Sub(e.Time); {
		case age < 24*time.Hour:
			today++
		case age < 8*24*time.Hour:
			before++
		}
	}
	if len(events) >= MinQuestions && today >= MinSpike && today*7 > SpikeFactor*before {
		out = append(out, Alert{"no_citeable_content_spike", "", fmt.Sprintf("%d refusals for want of citation metadata within a day, %d in the seven days before: look at what was added last", today, before)})
	}
	if m.Reached >= MinQuestions && m.Similarity < MinSimilarity {
		out = append(out, Alert{"low_average_similarity", "", fmt.Sprintf("the best results have an average similarity of %.2f, below %.2f: the questions and the archive have drifted apart", m.Similarity, MinSimilarity)})
	}
	return out
}
