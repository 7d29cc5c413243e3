package engine

import (
	"testing"

	"muniment/ledger"
)

// TestAccess is the table of the roles: what each may do to its own, to
// another's of the same project, and to another project's.
func TestAccess(t *testing.T) {
	mine := Owner{"gobd", "s1", "reader"}
	other := Owner{"gobd", "s2", "writer"}
	foreign := Owner{"slr", "s1", "reader"}
	shared := Owner{"", "s9", "archivist"}
	caller := func(r Role) Caller { return Caller{Role: r, Session: "s1", Agent: "reader", Project: "gobd"} }
	tests := []struct {
		role                         Role
		what                         Act
		mine, other, foreign, shared bool
	}{
		{RoleAgent, ActCreate, true, false, false, false},
		{RoleAgent, ActReadSource, true, true, true, true},
		{RoleAgent, ActReadCitation, true, false, false, false},
		{RoleAgent, ActAdmin, false, false, false, false},
		{RoleUser, ActCreate, false, false, false, false},
		{RoleUser, ActReadSource, true, true, false, true},
		{RoleUser, ActReadCitation, true, true, false, false},
		{RoleUser, ActAdmin, false, false, false, false},
		{RoleAuditor, ActCreate, false, false, false, false},
		{RoleAuditor, ActReadSource, true, true, true, true},
		{RoleAuditor, ActReadCitation, true, true, true, true},
		{RoleAuditor, ActAdmin, false, false, false, false},
		{RoleAdmin, ActCreate, true, true, true, true},
		{RoleAdmin, ActReadSource, true, true, true, true},
		{RoleAdmin, ActReadCitation, true, true, true, true},
		{RoleAdmin, ActAdmin, true, true, true, true},
	}
	if len(tests) != len(rules)*4 {
		t.Fatalf("%d rows for %d roles", len(tests), len(rules))
	}
	for _, tt := range tests {
		c := caller(tt.role)
		for name, one := range map[string]struct {
			of   Owner
			want bool
		}{"mine": {mine, tt.mine}, "other": {other, tt.other}, "foreign": {foreign, tt.foreign}, "shared": {shared, tt.shared}} {
			if got := c.May(tt.what, one.of); got != one.want {
				t.Errorf("%s, %s, %s: %v, want %v", tt.role, tt.what, name, got, one.want)
			}
		}
	}
	// Without a project auditors and administrators reach all; agents and users
	// do not.
	for _, r := range []Role{RoleAgent, RoleUser, RoleAuditor, RoleAdmin} {
		c := Caller{Role: r, Session: "s1", Agent: "reader"}
		want := r == RoleAuditor || r == RoleAdmin
		for _, of := range []Owner{mine, other, foreign} {
			if got := c.May(ActReadCitation, of); got != want {
				t.Errorf("%s without a project, %+v: %v", r, of, got)
			}
		}
	}
	for _, c := range []Caller{{}, {Role: "stranger"}, {Role: RoleAgent}} {
		if c.May(ActCreate, c.Self()) {
			t.Errorf("%+v may create", c)
		}
	}
}

// What narrow lets through is never less than what may allows: a page is not
// short of what the caller may read.
func TestNarrow(t *testing.T) {
	all := []Owner{{"gobd", "s1", "reader"}, {"gobd", "s2", "reader"}, {"gobd", "s1", "writer"}, {"slr", "s1", "reader"}, {"", "", "archivist"}, {"", "s1", "reader"}}
	checked := 0
	for role := range rules {
		for _, c := range []Caller{{Role: role, Project: "gobd", Agent: "reader", Session: "s1"}, {Role: role, Project: "gobd", Session: "s1"}, {Role: role, Agent: "reader"}, {Role: role, Session: "s1"}} {
			reaches := role == RoleAuditor || role == RoleAdmin
			for _, of := range all {
				f := ledger.Filter{}
				if reaches {
					f.Project = of.Project // a list of another project names it
				}
				f = c.Narrow(f)
				if reaches && of.Project == "" {
					f.Project = ""
				}
				passes := (f.Project == "" || f.Project == of.Project) && (f.Agent == "" || f.Agent == of.Agent) && (f.Session == "" || f.Session == of.Session)
				if c.May(ActReadCitation, of) && !passes {
					t.Errorf("%+v may read %+v, and the filter %+v hides it", c, of, f)
				}
				checked++
			}
		}
	}
	if checked != 4*4*len(all) {
		t.Errorf("%d checked", checked)
	}
}
