package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Annotations of the command tree: whether a command opens an archive, and so
// whether a hint that names the command repeats the folder of -C.
const (
	noArchive       = "no-archive"    // opens none, unless one of the flags in the value is given
	noArchiveOfFile = "file-is-alone" // opens none when the first argument is a file
)

// withoutArchive marks a command that opens no archive, unless one of flags is
// given.
func withoutArchive(cmd *cobra.Command, flags ...string) *cobra.Command {
	cmd.Annotations = map[string]string{noArchive: strings.Join(flags, " ")}
	return cmd
}

// withoutArchiveForFile marks a command that opens no archive when its first
// argument is a file.
func withoutArchiveForFile(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{noArchiveOfFile: ""}
	return cmd
}

// here returns the text with every call in it ready to be pasted: each that
// works on an archive names the one that this call named with -C. Nothing is
// needed where the environment or the place names it. Quoted words stay as they
// are.
func (p *program) here(s string) string {
	const program = "muniment "
	if p.tree == nil || p.dir == "" || p.dir == "." || !strings.Contains(s, program) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		starts := i == 0 || strings.IndexByte(" (=\n", s[i-1]) >= 0
		switch {
		case starts && quotedLen(s[i:]) > 0:
			n := quotedLen(s[i:])
			b.WriteString(s[i : i+n])
			i += n
		case starts && strings.HasPrefix(s[i:], program) && p.opensArchive(s[i+len(program):]):
			b.WriteString(program + "-C " + shellWord(p.dir) + " ")
			i += len(program)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// opensArchive reports whether a call, given by what follows the program's name,
// opens an archive.
func (p *program) opensArchive(call string) bool {
	call, _, _ = strings.Cut(call, ";")
	cmd, words := p.tree, strings.Fields(call)
	for len(words) > 0 {
		word := strings.TrimRight(words[0], ",.:)")
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
		if i < 0 {
			break
		}
		cmd = cmd.Commands()[i]
		if word != words[0] { // the sentence goes on after the command
			words = nil
			break
		}
		words = words[1:]
	}
	if cmd == p.tree || cmd.Parent() == p.tree && (cmd.GroupID == "" || cmd.GroupID == "tool") || len(words) > 0 && words[0] == "--help" {
		return false // a topic, the program itself, or only help
	}
	if flags, marked := cmd.Annotations[noArchive]; marked {
		return slices.ContainsFunc(strings.Fields(flags), func(flag string) bool { return slices.Contains(words, "--"+flag) })
	}
	if _, marked := cmd.Annotations[noArchiveOfFile]; marked && len(words) > 0 {
		return words[0] != "FILE" && !looksLikePath(words[0])
	}
	return true
}

// quotedLen returns the length of the quoted words that s begins with, quotes
// included, and 0 where there are none.
func quotedLen(s string) int {
	for _, quotes := range [][2]string{{"'", "'"}, {`"`, `"`}, {"“", "”"}} {
		inner, opens := strings.CutPrefix(s, quotes[0])
		if !opens {
			continue
		}
		for i := 0; i < len(inner); i++ {
			switch {
			case quotes[0] == `"` && inner[i] == '\\':
				i++
			case strings.HasPrefix(inner[i:], quotes[1]):
				return len(quotes[0]) + i + len(quotes[1])
			}
		}
	}
	return 0
}

// shellWord returns a word as a POSIX shell reads it, quoted where it has to be.
func shellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:+@%"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// alias lets a flag be given under the name that it had in the release before.
func alias(cmd *cobra.Command, old, name string) {
	f := *cmd.Flags().Lookup(name)
	f.Name, f.Shorthand, f.Hidden = old, "", true
	cmd.Flags().AddFlag(&f)
}
