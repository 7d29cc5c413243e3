package web

import (
	"net/netip"
	"testing"
)

func TestAddresses(t *testing.T) {
	for _, a := range []string{"1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::101:101"} {
		if what := blockOf(netip.MustParseAddr(a)); what != "" {
			t.Errorf("%s is %s, want it public", a, what)
		}
	}
	for _, a := range []string{
		"0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1",
		"ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:a00:1::", "2001::1", "2001:db8::1", "100::1", "fec0::1", "4000::1",
	} {
		if blockOf(netip.MustParseAddr(a)) == "" {
			t.Errorf("%s is public, want it refused", a)
		}
	}
}
