package muniment

import (
	"testing"

	"muniment/ledger"
)

// TestAccess is the table of the roles: what each may do to its own, to
// another's of the same project, and to another project's.
func TestAccess(t *testing.T) {
	mine := owned{"gobd", "s1", "reader"}
	other := owned{"gobd", "s2", "writer"}
	foreign := owned{"slr", "s1", "reader"}
	shared := owned{"", "s9", "archivist"}
	caller := func(r Role) Caller { return Caller{Role: r, Session: "s1", Agent: "reader", Project: "gobd"} }
	tests := []struct {
		role                         Role
		what                         act
		mine, other, foreign, shared bool
	}{
		{RoleAgent, actCreate, true, false, false, false},
		{RoleAgent, actReadSource, true, true, false, true},
		{RoleAgent, actReadCitation, true, false, false, false},
		{RoleAgent, actAdmin, false, false, false, false},
		{RoleUser, actCreate, false, false, false, false},
		{RoleUser, actReadSource, true, true, false, true},
		{RoleUser, actReadCitation, true, true, false, false},
		{RoleUser, actAdmin, false, false, false, false},
		{RoleAuditor, actCreate, false, false, false, false},
		{RoleAuditor, actReadSource, true, true, false, false},
		{RoleAuditor, actReadCitation, true, true, false, false},
		{RoleAuditor, actAdmin, false, false, false, false},
		{RoleAdmin, actCreate, true, true, false, false},
		{RoleAdmin, actReadSource, true, true, false, false},
		{RoleAdmin, actReadCitation, true, true, false, false},
		{RoleAdmin, actAdmin, true, true, false, false},
	}
	if len(tests) != len(access)*4 {
		t.Fatalf("%d rows for %d roles", len(tests), len(access))
	}
	for _, tt := range tests {
		c := caller(tt.role)
		for name, one := range map[string]struct {
			of   owned
			want bool
		}{"mine": {mine, tt.mine}, "other": {other, tt.other}, "foreign": {foreign, tt.foreign}, "shared": {shared, tt.shared}} {
			if got := c.may(tt.what, one.of); got != one.want {
				t.Errorf("%s, %s, %s: %v, want %v", tt.role, tt.what, name, got, one.want)
			}
		}
	}
	// Without a project auditors and administrators reach all; agents and users
	// do not.
	for _, r := range []Role{RoleAgent, RoleUser, RoleAuditor, RoleAdmin} {
		c := Caller{Role: r, Session: "s1", Agent: "reader"}
		want := r == RoleAuditor || r == RoleAdmin
		for _, of := range []owned{mine, other, foreign} {
			if got := c.may(actReadCitation, of); got != want {
				t.Errorf("%s without a project, %+v: %v", r, of, got)
			}
		}
	}
	for _, c := range []Caller{{}, {Role: "stranger"}, {Role: RoleAgent}} {
		if c.may(actCreate, c.self()) {
			t.Errorf("%+v may create", c)
		}
	}
}

// What narrow lets through is never less than what may allows: a page is not
// short of what the caller may read.
func TestNarrow(t *testing.T) {
	all := []owned{{"gobd", "s1", "reader"}, {"gobd", "s2", "reader"}, {"gobd", "s1", "writer"}, {"slr", "s1", "reader"}, {"", "", "archivist"}, {"", "s1", "reader"}}
	checked := 0
	for role := range access {
		for _, c := range []Caller{{Role: role, Project: "gobd", Agent: "reader", Session: "s1"}, {Role: role, Project: "gobd", Session: "s1"}, {Role: role, Agent: "reader"}, {Role: role, Session: "s1"}} {
			f := c.narrow(ledger.Filter{})
			for _, of := range all {
				passes := (f.Project == "" || f.Project == of.project) && (f.Agent == "" || f.Agent == of.agent) && (f.Session == "" || f.Session == of.session)
				if c.may(actReadCitation, of) && !passes {
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
