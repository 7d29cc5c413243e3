package objects

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// A processMark tells a process from others with the same number: this boot of
// the machine, the namespace in which the number holds, and the tick at which
// the process began. A part that the system does not show is "-".
type processMark struct{ boot, space, tick string }

// markOf returns the mark of a process on this host.
func markOf(pid int) processMark {
	m := processMark{"-", "-", "-"}
	if boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		m.boot = strings.TrimSpace(string(boot))
	}
	if space, err := os.Readlink("/proc/self/ns/pid"); err == nil {
		m.space = space
	}
	if tick, ok := startTick(pid); ok {
		m.tick = tick
	}
	return m
}

// startTick reads when a process began, see proc_pid_stat(5): the second field
// is the command in parentheses, which may hold any byte; the third is the
// state, the 22nd the start.
func startTick(pid int) (string, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", false
	}
	end := strings.LastIndexByte(string(stat), ')')
	fields := strings.Fields(string(stat[end+1:]))
	if end < 0 || len(fields) < 20 {
		return "", false
	}
	if fields[0] == "Z" {
		return "ended", true // not yet reaped by its parent, but gone
	}
	return fields[19], true
}

// String returns the mark as a lock file has it; parseMark reads it.
func (m processMark) String() string { return m.boot + " " + m.space + " " + m.tick }

// parseMark reads a mark; one of another form has no part.
func parseMark(s string) processMark {
	f := strings.Fields(s)
	if len(f) != 3 {
		return processMark{"-", "-", "-"}
	}
	return processMark{f[0], f[1], f[2]}
}

// state returns the state of the owner of a lock on the machine called host. A machine keeps the
// identifier of its boot when its name changes.
func (c lockContent) state(host string) OwnerState {
	now := markOf(c.owner.PID)
	differ := func(a, b string) bool { return a != "-" && b != "-" && a != b }
	sameBoot := c.mark.boot != "-" && c.mark.boot == now.boot
	switch {
	case !sameBoot && c.owner.Host != host:
		return OwnerUnknown
	case differ(c.mark.boot, now.boot):
		return OwnerGone
	case differ(c.mark.space, now.space):
		return OwnerUnknown // another container: its numbers mean other processes here
	case !processAlive(c.owner.PID), differ(c.mark.tick, now.tick):
		return OwnerGone
	}
	return OwnerAlive
}

// bootTime returns when this machine started, by the clock that dates its
// files; the zero time where the system does not show it.
func bootTime() time.Time {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}
	}
	for line := range strings.Lines(string(stat)) {
		if v, ok := strings.CutPrefix(line, "btime "); ok {
			if sec, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
				return time.Unix(sec, 0)
			}
		}
	}
	return time.Time{}
}

// bootSlack is by how much a file must be older than the machine's start: the
// start is known to a second, and clocks are set soon after it.
const bootSlack = time.Minute

// beforeBoot reports whether a lock file was written before this machine
// started: its owner, who would hold it for milliseconds, is gone. A power cut
// may leave such a file without the note that says whose it was.
func beforeBoot(path string) bool {
	boot := bootTime()
	st, err := os.Lstat(path)
	return err == nil && !boot.IsZero() && st.ModTime().Before(boot.Add(-bootSlack))
}
