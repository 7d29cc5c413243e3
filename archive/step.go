package archive

// A Step is what a caller can do about an error. The library names the act and
// what it is about; a program that has a command, a button or a call for the act
// says how to do it in its own words.
type Step struct {
	Do     Action   // "" where the advice is all there is
	Args   []string // what the act is about, in the order that the Action says
	Advice string   // what to mind, in words that name no command; may be empty
}

// An Action is an act of a caller that mends something. Each says what Args are.
type Action string

// Advise returns a step that is advice alone.
func Advise(advice string) Step { return Step{Advice: advice} }

// Next returns the step to an act on args.
func Next(do Action, args ...string) Step { return Step{Do: do, Args: args} }

// With returns the step with advice beside the act.
func (s Step) With(advice string) Step {
	s.Advice = advice
	return s
}

// IsZero reports whether there is neither an act nor advice.
func (s Step) IsZero() bool { return s.Do == "" && s.Advice == "" }
