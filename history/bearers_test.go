package history_test

import (
	"slices"
	"testing"

	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/snapshot/access"
)

// A word of a table that is above, or in the cell before, a surname is no given name of somebody else.
func TestBearersOfTables(t *testing.T) {
	for name, text := range map[string]string{
		"name.csv": "Name\nZuckmann\nPrins\n", "grace.csv": "Grace,Name\nZuckmann,4\n", "tabs.txt": "Name\tZuckmann\nGrace\tZuckmann\n",
		"list.txt": "Grace\nZuckmann\nMark\nPrins\n", "list.md": "# Rose\n\n| Name |\n|---|\n| Zuckmann |\n", "lined.txt": "The fee was paid by Mary\nZuckmann; Grace\nZuckmann paid too.\n",
	} {
		a, key := archivetest.New(t, map[string]string{name: text})
		archivetest.Seal(t, a, key)
		if _, err := history.Consent(a, history.ConsentOptions{Person: "Verena Zuckmann", State: access.PersonSealed}); err != nil {
			t.Fatal(err)
		}
		tree, err := a.NewestTree()
		if err != nil {
			t.Fatal(err)
		}
		list, err := a.Persons(tree)
		if err != nil || len(list.Persons) != 1 {
			t.Fatal(list, err)
		}
		if not := list.Persons[0].Not; len(not) > 0 {
			t.Errorf("%s: %q are taken for other persons", name, not)
		}
	}
	a, key := archivetest.New(t, map[string]string{"a.txt": "Grace Zuckmann paid.\n"})
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Verena Zuckmann", State: access.PersonSealed})
	tree, err := a.NewestTree()
	if err != nil {
		t.Fatal(err)
	}
	if list, err := a.Persons(tree); err != nil || !slices.Equal(list.Persons[0].Not, []string{"Grace Zuckmann"}) {
		t.Errorf("%+v %v", list, err)
	}
}
