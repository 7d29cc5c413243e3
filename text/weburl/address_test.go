package weburl

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Addresses with a secret are refused without showing it; others are not.
func TestCheckAddress(t *testing.T) {
	for _, address := range []string{
		"https://ada:millwheel@example.org/a", "https://millwheel@example.org/", "//ada:millwheel@example.org/a",
		"https://example.org/go?to=https://ada:millwheel@example.net/", "https://example.org/go?to=https%3A%2F%2Fada%3Amillwheel%40example.net%2F",
		"https://example.org/go?to=https%253A%252F%252Fada%253Amillwheel%2540example.net%252F",
		"https://example.org/?token=millwheel", "https://example.org/?a=b&access_token=millwheel", "https://example.org/?TOKEN=millwheel",
		"https://example.org/?api-key=millwheel", "https://example.org/?apiKey=millwheel", "https://example.org/?key=millwheel",
		"https://example.org/b?X-Amz-Signature=millwheel&X-Amz-Date=1", "https://example.org/b?sv=1&sig=millwheel", "https://example.org/?a;password=millwheel",
		"https://example.org/a;jsessionid=millwheel", "https://example.org/#access_token=millwheel", "https://example.org/?client%5Fsecret=millwheel",
		"https://example.org/a/token=millwheel/b",
	} {
		err, secret := CheckAddress(address, false), (*SecretError)(nil)
		if !errors.As(err, &secret) {
			t.Errorf("%s: %v", address, err)
		} else if strings.Contains(err.Error(), "millwheel") {
			t.Errorf("%s: the error shows the secret: %v", address, err)
		} else if kept := CheckAddress(address, true) == nil; kept != (secret.Parameter != "") {
			t.Errorf("%s: kept on demand: %t", address, kept)
		}
	}
	for _, address := range []string{
		"", "a title", "https://example.org/", "https://example.org/?q=token", "https://example.org/?token=", "https://example.org/key/token",
		"https://example.org/?monkey=1&keyword=mill&page=2", "https://example.org/@ada/posts", "https://example.org/?mail=ada@example.org", "https://example.org/mail/ada@example.org",
		"https://example.org/?signature_of=Ada", "urn:isbn:9780000000000", "doi:10.1/x", "https://example.org/a%", "https://example.org/?author=Key",
	} {
		if err := CheckAddress(address, false); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// What an address is kept as shows no secret, and the rest of it stays.
func TestStripAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/a?q=token":                                              "https://example.org/a?q=token",
		"https://ada:millwheel@example.org/a?b=c":                                    "https://example.org/a?b=c []",
		"https://example.org/?token=millwheel":                                       "https://example.org/ [token]",
		"https://example.org/?token=millwheel#top":                                   "https://example.org/#top [token]",
		"https://example.org/?a=b&access_token=millwheel&c=d":                        "https://example.org/?a=b&c=d [access_token]",
		"https://example.org/b?X-Amz-Signature=millwheel&key=millwheel&X-Amz-Date=1": "https://example.org/b?X-Amz-Date=1 [X-Amz-Signature key]",
		"https://example.org/a;jsessionid=millwheel/b?c=d":                           "https://example.org/a/b?c=d [jsessionid]",
		"https://example.org/a/token=millwheel":                                      "https://example.org/a [token]",
		"https://example.org/#access_token=millwheel":                                "https://example.org/ [access_token]",
		"https://example.org/go?to=https%3A%2F%2Fada%3Amillwheel%40example.net%2F":   "https://example.org/ []",
		"/a?token=millwheel&b=c":                                                     "/a?b=c [token]",
	} {
		clean, dropped := StripAddress(address, false)
		got := clean
		if dropped != nil {
			got += " " + fmt.Sprint(dropped)
		}
		kept, passwords := StripAddress(address, true)
		if CheckAddress(kept, true) != nil || strings.Contains(kept, "ada") || CheckAddress(address, true) == nil && (kept != address || passwords != nil) {
			t.Errorf("%s: kept on demand as %s %v", address, kept, passwords)
		}
		if got != want || CheckAddress(clean, false) != nil {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
