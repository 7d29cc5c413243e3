// Package pages shows an archive to people, in a browser:
//
//	s.ServePages(pages.New())               // muniment serve
//	pages.Export(ctx, client, dir, options)  // muniment export --site
//
// Each page is a Go struct, filled from the calls of a server.Client and from
// nothing else: what the client may not see cannot come into a page. The struct
// is the page's JSON twin, at the same address with .json behind it, and what the
// template of the page is run with.
//
// # What a page may do
//
// Pages read. What changes an archive has no page. Templates and assets are
// embedded; nothing comes from another host, no script stands in a page, and the
// Content-Security-Policy says so. Every page can be read without JavaScript; with
// it, citations open as cards, marked words get an address, and a bundle is verified
// in the browser.
//
// # The site
//
// Export writes the same pages as files for one tier, with a search that needs no
// server, and a signed statement of all of it. VerifySite
// checks that statement. docs/spec/site.md is the format.
package pages
