package web

import (
	"net/netip"
	"strings"
	"syscall"
)

// notPublic lists the address blocks that no page of the public network has,
// from the IANA special-purpose registries. IPv6 beyond 2000::/3 is refused as a
// whole.
var notPublic = []struct {
	block netip.Prefix
	what  string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "this host"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "shared by a provider"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "reserved"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("fc00::/7"), "private"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
	{netip.MustParsePrefix("2001::/23"), "reserved"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("2002::/16"), "wrapped IPv4"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
}

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
)

// blockOf returns the kind of the block of special addresses that a is in, "" for
// a public address.
func blockOf(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	for _, n := range notPublic {
		if n.block.Contains(a) {
			return n.what
		}
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return "reserved"
	}
	return ""
}

// checkDial is the Control callback of a net.Dialer. It refuses addresses that are
// not public, after the name was resolved.
func checkDial(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fail(KindAddress, "", "the address %q cannot be judged", address)
	}
	if what := blockOf(ap.Addr()); what != "" {
		return fail(KindAddress, "", "the host has the address %s, which is %s and not public", ap.Addr(), what)
	}
	return nil
}

// checkHost refuses hosts that are not public by their literal address or name.
func checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if what := blockOf(a); what != "" {
			return fail(KindAddress, "", "the host is the address %s, which is %s and not public", a, what)
		}
		return nil
	}
	if h := strings.TrimSuffix(host, "."); h == "localhost" || strings.HasSuffix(h, ".localhost") {
		return fail(KindAddress, "", "the host %s is this computer", host)
	}
	return nil
}
