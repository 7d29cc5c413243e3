package sourcemeta

import (
	"errors"
	"testing"
)

// must returns the value of a call that cannot fail here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// defectsOf returns the Errors in err.
func defectsOf(t *testing.T, err error) Errors {
	t.Helper()
	var list Errors
	if !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("error %v (%T), want Errors", err, err)
	}
	return list
}

const registryFile = `
version: 1
sources:
  - id: fed_press_releases
    publisher: Federal Reserve
    name: Press releases
    url: https://www.federalreserve.gov/newsevents/
    url_patterns:
      - https://www.federalreserve.gov/newsevents/*
      - federalreserve.gov/monetarypolicy
    credibility_tier: 1
    paywall_policy: full
    tags: [policy_centralbank]
    official_calendar: false
    language: en-US
    csl_type: webpage
    poll_minutes: 15
  - id: fomc_calendar
    publisher: Federal Reserve
    url: https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm
    tier: 1
    official_calendar: true
    tags: policy_centralbank
  - id: ft_markets
    publisher: Financial Times
    url_patterns: ["*.ft.com", ft.com]
    credibility_tier: 2
    paywall_policy: metadata_only
  - id: ft_blogs
    publisher: Financial Times
    url_patterns: ["blogs.ft.com/*/post-*.html"]
    tier: 3
    language:
`
