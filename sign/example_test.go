package sign_test

import (
	"fmt"

	"muniment/cid"
	"muniment/sign"
)

// A signature as "ssh-keygen -Y sign -n answer@muniment" prints it.
const armored = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg9QH/f/NszqhBCzbuhX7zbZJRIR
CzjdyvFABBz1IReisAAAAPYW5zd2VyQG11bmltZW50AAAAAAAAAAZzaGE1MTIAAABTAAAA
C3NzaC1lZDI1NTE5AAAAQIGAm/ShMWA5vfdQQU3zDATncUQDGnrTA5fDuxKcUd4c/6LNUo
ypMbw+SABC/IKNkS8/5Bv15EYMcTb4yKSl6wU=
-----END SSH SIGNATURE-----
`

func Example() {
	allowed, err := sign.ParseAllowedSigners([]byte(`anna@example.org namespaces="*@muniment" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPUB/3/zbM6oQQs27oV+822SUSEQs43crxQAQc9SEXor
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	sig, err := sign.ParseSignature([]byte(armored))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := sig.Verify(sign.NamespaceAnswer, []byte("The quick brown fox, as signed by a test key.")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("signed by", sig.Key().Fingerprint())
	if who, ok := allowed.Allows(sig.Key(), sign.NamespaceAnswer, cid.ID{}); ok {
		fmt.Println("who is", who.Principals[0], "by line", who.Line)
	}
	if _, ok := allowed.Allows(sig.Key(), sign.NamespaceGit, cid.ID{}); !ok {
		fmt.Println("and may not sign snapshots")
	}
	// Output:
	// signed by SHA256:YtZbrKjTXEx2MkQh1BcO7LgmidSjIPa9hXrORuBRXwg
	// who is anna@example.org by line 1
	// and may not sign snapshots
}
