package examination

import (
	"encoding/json"
	"net/url"
	"path/filepath"
)

// The parts of SARIF 2.1.0 that a report has.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"` // in what offsets are counted
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		PhysicalLocation struct {
			ArtifactLocation struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine  int `json:"startLine"`
				CharOffset int `json:"charOffset"`
				CharLength int `json:"charLength"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
)

// SARIF returns reports in the Static Analysis Results Interchange Format, which editors and continuous integration
// read: an error for what is wrong, a warning for what cannot be checked.
func SARIF(reports ...*Report) ([]byte, error) {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}}}
	run := &log.Runs[0]
	run.Tool.Driver.Name = "muniment examine"
	for _, v := range Verdicts {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(v), sarifText{v.Words()}})
	}
	for _, r := range reports {
		for k := range r.Items {
			i := &r.Items[k]
			level := "warning"
			if i.Bad() {
				level = "error"
			} else if i.Verdict != Uncheckable {
				continue
			}
			one := sarifResult{RuleID: string(i.Verdict), Level: level, Message: sarifText{i.Reason + ": “" + clip(i.Text) + "”"}, Locations: make([]sarifLocation, 1)}
			at := &one.Locations[0].PhysicalLocation
			at.ArtifactLocation.URI = (&url.URL{Path: filepath.ToSlash(r.Document.Name)}).String()
			at.Region.StartLine, at.Region.CharOffset, at.Region.CharLength = i.At.Line, i.At.Start, i.At.End-i.At.Start
			run.Results = append(run.Results, one)
		}
	}
	return json.MarshalIndent(log, "", "  ")
}
