package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"muniment/canon"
)

// readBack reads back what srt@1 and vtt@1 wrote, strictly: whatever it accepts is
// written again as the same bytes.
func readBack(payload []byte) ([]Cue, error) {
	if !bytes.HasSuffix(payload, []byte{'\n'}) {
		return nil, errors.New("the transcript does not end in a line feed")
	}
	var cues []Cue
	for line := range strings.Lines(string(payload)) {
		c, err := cueOf(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(cues)+1, err)
		}
		cues = append(cues, c)
	}
	if !bytes.Equal(canon.Text(encode(cues)), payload) {
		return nil, errors.New("the transcript is not in the form of " + SRTName + " and " + VTTName)
	}
	return cues, nil
}
