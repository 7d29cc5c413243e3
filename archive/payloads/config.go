package payloads

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// A Config says where a store is and what goes there. It holds no credential.
type Config struct {
	Address  string `json:"address"`           // s3://bucket or s3://bucket/prefix
	Endpoint string `json:"endpoint"`          // https://host, or http://host on this machine
	Region   string `json:"region,omitempty"`  // "" is us-east-1
	Profile  string `json:"profile,omitempty"` // of ~/.aws/credentials; "" is AWS_PROFILE, else default
	Above    int64  `json:"above"`             // bytes: what is larger goes to the store
}

// MinAbove is the least size above which bytes may go to a store: below it a pointer and
// a request cost more than the bytes.
const MinAbove = 64 << 10

// A place is a parsed configuration.
type place struct {
	bucket, prefix string
	host, region   string
	secure         bool
}

var (
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	prefixName = regexp.MustCompile(`^([A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$`)
	wordName   = regexp.MustCompile(`^[A-Za-z0-9._-]{0,64}$`)
)

// Check returns an error where the configuration names no store, holds a credential, or
// would send bytes over a network in the clear.
func (c Config) Check() error {
	_, err := c.parse()
	return err
}

// parse reads the configuration.
func (c Config) parse() (place, error) {
	rest, isS3 := strings.CutPrefix(c.Address, "s3://")
	bucket, prefix, _ := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
	switch {
	case !isS3 || !bucketName.MatchString(bucket) || prefix != "" && !prefixName.MatchString(prefix):
		return place{}, errors.New("the address of a payload store is s3://BUCKET or s3://BUCKET/PREFIX")
	case c.Above < MinAbove:
		return place{}, fmt.Errorf("payloads above %d bytes: a store takes what is larger than %d at least", c.Above, MinAbove)
	case !wordName.MatchString(c.Region) || !wordName.MatchString(c.Profile):
		return place{}, errors.New("a region and a profile are words of letters, digits, dots and hyphens")
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return place{}, errors.New("the endpoint of a payload store is https://HOST or https://HOST:PORT, without a user name and a path")
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return place{}, errors.New("an endpoint with http:// is only used on this machine: payloads and signatures would go over the network in the clear")
	}
	if prefix != "" {
		prefix += "/"
	}
	region := c.Region
	region = cmp.Or(region, "us-east-1")
	return place{bucket: bucket, prefix: prefix, host: u.Host, region: region, secure: u.Scheme == "https"}, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
