package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"muniment/archive/problem"
	"muniment/draft/contract"
	"muniment/engine"
	"muniment/ledger"
	"muniment/text/legible"
)

// A SynthesisInfo is a validated text on file.
type SynthesisInfo struct {
	Synthesis     int64           `json:"synthesis"`
	Profile       string          `json:"profile"`
	Decision      string          `json:"decision"`
	Attempt       int             `json:"attempt"`
	Pack          string          `json:"pack_id,omitempty"`
	Report        contract.Report `json:"report"`
	Claims        int             `json:"claims"`
	CoveredBefore int             `json:"covered_before"`
	CoveredAfter  int             `json:"covered_after"`
	Session       string          `json:"session,omitempty"`
	CreatedBy     string          `json:"created_by,omitempty"`
	Project       string          `json:"project,omitempty"`
	CreatedAt     string          `json:"created_at"`
}

// A SynthesisResult says which citations support which bullets of a text.
type SynthesisResult struct {
	SynthesisInfo
	Bullets   []CheckedBullet       `json:"bullets"`
	Citations []engine.CitationInfo `json:"citations"` // of these bullets, each once
}

// Synthesis returns the bullets of a validated text with their citations: all
// of them, those of one section, or one bullet of it (0 for all).
func Synthesis(e *engine.Engine, id int64, section string, bullet int) (*SynthesisResult, error) {
	if bullet < 0 || bullet > 0 && section == "" {
		return nil, problem.New(problem.Usage, problem.Next(DoReadBullet), "a bullet is counted from 1 in a section, and none is named")
	}
	l, err := ledger.Of(e.Archive())
	if err != nil {
		return nil, err
	}
	s, err := l.Synthesis(id)
	if errors.Is(err, ledger.ErrNotFound) || err == nil && !e.Caller().May(engine.ActReadCitation, engine.Owner{Project: s.Project, Session: s.Session, Agent: s.Agent}) {
		return nil, problem.New(problem.NotFound, problem.Next(DoReadBullet), "no synthesis %d", id)
	}
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	r := &SynthesisResult{SynthesisInfo: synthesisInfo(&s), Bullets: []CheckedBullet{}, Citations: []engine.CitationInfo{}}
	var sections []string
	seen := map[int64]bool{}
	for _, b := range s.Bullets {
		if len(sections) == 0 || sections[len(sections)-1] != b.Section {
			sections = append(sections, b.Section)
		}
		if section != "" && b.Section != section || bullet > 0 && b.Number != bullet {
			continue
		}
		one := CheckedBullet{b.Section, b.Number, b.Text, append([]int64{}, b.Citations...)}
		r.Bullets = append(r.Bullets, one)
		for _, n := range b.Citations {
			if seen[n] {
				continue
			}
			seen[n] = true
			info, err := e.Citations().Get(strconv.FormatInt(n, 10))
			if err != nil {
				return nil, err
			}
			r.Citations = append(r.Citations, *info)
		}
	}
	if len(r.Bullets) == 0 && section != "" {
		return nil, problem.New(problem.NotFound, problem.Advise("its sections: "+strings.Join(sections, ", ")), "synthesis %d has no %s", id, place(section, bullet))
	}
	return r, nil
}

// place returns a section or a bullet of it as a message names it.
func place(section string, bullet int) string {
	if bullet == 0 {
		return "section " + legible.Printable(section)
	}
	return fmt.Sprintf("bullet %d in section %s", bullet, legible.Printable(section))
}

// Syntheses lists the validated texts that the caller may read, by number.
func Syntheses(e *engine.Engine, after int64, limit int) ([]SynthesisInfo, error) {
	l, err := ledger.Of(e.Archive())
	if err != nil {
		return nil, err
	}
	all, err := l.Syntheses(e.Caller().Narrow(ledger.Filter{Session: e.Caller().Session, After: after, Limit: limit}))
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := []SynthesisInfo{}
	for i := range all {
		if e.Caller().May(engine.ActReadCitation, engine.Owner{Project: all[i].Project, Session: all[i].Session, Agent: all[i].Agent}) {
			out = append(out, synthesisInfo(&all[i]))
		}
	}
	return out, nil
}

// synthesisInfo returns the description of a text on file.
func synthesisInfo(s *ledger.Synthesis) SynthesisInfo {
	out := SynthesisInfo{Synthesis: s.ID, Profile: s.Profile, Decision: s.Decision, Attempt: s.Attempt, Pack: s.Pack, Claims: s.Claims,
		CoveredBefore: s.CoveredBefore, CoveredAfter: s.CoveredAfter, Session: s.Session, CreatedBy: s.Agent, Project: s.Project, CreatedAt: s.Time.UTC().Format(time.RFC3339)}
	if json.Unmarshal([]byte(s.Report), &out.Report) != nil {
		out.Report = contract.Report{} // another program's form
	}
	return out
}
