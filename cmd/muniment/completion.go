package main

import (
	"errors"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/custody"
	"muniment/draft"
	"muniment/text/legible"
	"muniment/text/typo"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// likely returns the call or flag that a usage error most likely meant, or "".
func likely(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		add := func(f *pflag.Flag) { names = append(names, f.Name) }
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if name := nearest(unknown.GetSpecifiedName(), names); name != "" {
			return "--" + name
		}
		return ""
	}
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		var names []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		if name := nearest(args[0], names); name != "" {
			return cmd.CommandPath() + " " + name
		}
	}
	return ""
}

// nearest returns the name that was most likely meant; "" for none.
func nearest(typed string, names []string) string {
	return typo.Nearest(typed, names, min(typo.MaxLetters, len(typed)/2))
}

// A lister returns the completions of a command-line argument.
type lister func(a *archive.Archive) ([]string, error)

// addCompletions lets the shell complete names, ids, profiles, tiers and remotes of
// the archive at the places where commands take them.
func (p *program) addCompletions(root *cobra.Command) {
	arguments := map[string]lister{
		"cat": artifactNames, "show": artifactNames, "describe": artifactNames, "log": artifactNames,
		"withdraw": artifactNames, "hold": artifactNames, "consent": artifactNames, "bib": artifactNames,
		"push": remoteNames, "fetch": remoteNames, "remote receipts": remoteNames, "remote remove": remoteNames,
		"draft profile show": profileNames,
	}
	flags := map[string]lister{"artifact": artifactNames, "profile": profileNames}
	ofPath := map[string]map[string]lister{ // elsewhere --tier is that of a source
		"export": {"tier": tierNames}, "draft profile freeform": {"tier": tierNames}, "repair": {"from": remoteNames},
	}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		if list := arguments[path]; list != nil {
			cmd.ValidArgsFunction = p.complete(list)
		}
		for _, lists := range []map[string]lister{flags, ofPath[path]} {
			for name, list := range lists {
				if cmd.LocalNonPersistentFlags().Lookup(name) != nil {
					_ = cmd.RegisterFlagCompletionFunc(name, p.complete(list)) // fails only where it is registered already
				}
			}
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(root)
}

// complete returns the function that offers the words of a list that begin with what
// is typed, and nothing where there is no archive.
func (p *program) complete(list lister) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		a, err := p.open()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer a.Close()
		words, err := list(a)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, typed) || w != legible.Printable(w) }), cobra.ShellCompDirectiveNoFileComp
	}
}

func artifactNames(a *archive.Archive) ([]string, error) {
	list, err := inventory.List(a, "")
	var words []string
	for _, art := range list {
		words = append(append(words, art.Names...), art.ID)
	}
	return words, err
}

func remoteNames(a *archive.Archive) ([]string, error) {
	list, err := custody.Remotes(a)
	return wordsOf(list, func(r custody.RemoteInfo) string { return r.Name }), err
}

func profileNames(a *archive.Archive) ([]string, error) {
	list, err := draft.Profiles(a)
	return wordsOf(list, func(r draft.ProfileInfo) string { return r.Name }), err
}

// wordsOf returns a word for each element of a list.
func wordsOf[T any](list []T, word func(T) string) []string {
	words := make([]string, len(list))
	for i, one := range list {
		words[i] = word(one)
	}
	return words
}

func tierNames(a *archive.Archive) ([]string, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	rules, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	var words []string
	for _, t := range rules.Tiers {
		words = append(words, t.Name)
	}
	return words, nil
}
