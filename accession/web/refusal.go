package web

import (
	"errors"
	"net/url"

	"muniment/text/weburl"
)

// Name returns the name of the page in a record, PageName of its RequestURL.
func (p *Page) Name() string { return weburl.PageName(p.RequestURL) }

// readURL is weburl.Parse with an *Error.
func readURL(raw string) (*url.URL, error) { return refuse(weburl.Parse(raw)) }

// readResource is weburl.ParseResource with an *Error.
func readResource(raw string) (*url.URL, error) { return refuse(weburl.ParseResource(raw)) }

// readNormal is weburl.Normalize with an *Error.
func readNormal(u *url.URL) (*url.URL, error) { return refuse(weburl.Normalize(u)) }

// refuse returns the error about an address as an *Error.
func refuse(u *url.URL, err error) (*url.URL, error) {
	var local *weburl.InterfaceError
	switch {
	case err == nil:
		return u, nil
	case errors.As(err, &local):
		return nil, fail(KindAddress, "", "%v", err)
	}
	return nil, fail(KindURL, "", "%v", err)
}
