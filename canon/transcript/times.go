package transcript

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const arrow = " --> "

// timePattern is a time, of 9999 hours at most: more than a year in one file is a
// mistake. SubRip has a comma and WebVTT a point, and may leave out the hours.
const timePattern = `(?:(\d{1,4}):)?([0-5]?\d):([0-5]\d)[.,](\d{3})`

// timeLine matches a line of times with the settings after them, which are about places on the
// screen.
var timeLine = regexp.MustCompile(`^[ \t]*` + timePattern + `[ \t]*-->[ \t]*` + timePattern + `(?:[ \t].*)?$`)

// timesOf reads a line of times.
func timesOf(line string) (start, end time.Duration, ok bool) {
	if !strings.Contains(line, "-->") {
		return 0, 0, false
	}
	m := timeLine.FindStringSubmatch(line)
	if m == nil {
		return 0, 0, false
	}
	return duration(m[1:5]), duration(m[5:9]), true
}

// duration adds up hours, minutes, seconds and milliseconds, all of them
// digits or empty.
func duration(parts []string) time.Duration {
	var n [4]int
	for i, p := range parts {
		n[i], _ = strconv.Atoi(p) // empty hours are none
	}
	return time.Duration(n[0])*time.Hour + time.Duration(n[1])*time.Minute +
		time.Duration(n[2])*time.Second + time.Duration(n[3])*time.Millisecond
}

// stamp writes a time as HH:MM:SS.mmm.
func stamp(d time.Duration) string {
	ms := d.Milliseconds()
	return fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
}
