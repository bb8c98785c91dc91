package warp

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"assay/internal/bytesize"
)

// options are what a command line adds to the output. They include no
// credentials.
type options struct {
	concurrent string
	size       string // B; "" where the sizes were random
	host       string // host and port, or several, comma-separated
	rate       string // requests per second, as limited
}

// optionsOf reads --name=value and --name value; it returns the zero value if
// there is no command line.
func optionsOf(argv []string) options {
	if len(argv) == 1 {
		argv = strings.Fields(argv[0])
	}
	var o options
	random := false
	for i, word := range argv {
		name, ok := strings.CutPrefix(word, "-")
		if !ok {
			continue
		}
		name, value, inOne := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		if !inOne && i+1 < len(argv) {
			value = argv[i+1]
		}
		switch name {
		case "concurrent":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				o.concurrent = strconv.Itoa(n)
			}
		case "obj.size":
			o.size = bytesOf(value)
		case "obj.randsize":
			random = true
		case "host":
			o.host = endpoint(value)
		case "rps-limit":
			if v, err := strconv.ParseFloat(value, 64); err == nil && v > 0 && v < 1e12 {
				o.rate = strconv.FormatFloat(v, 'f', -1, 64)
			}
		}
	}
	if random {
		o.size = ""
	}
	return o
}

// bytesOf parses warp's sizes: 1M and 1MB are 10^6, 1MiB is 2^20. It returns ""
// if s is not a single size.
func bytesOf(s string) string {
	v, ok := bytesize.Exact(strings.TrimSuffix(s, "B") + "B")
	if !ok || v < 1 || v > 1<<50 {
		return ""
	}
	return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
}

// endpoint returns the server without anything before an @.
func endpoint(s string) string {
	s = strings.Trim(s, `"'`)
	if strings.HasPrefix(s, "$") || len(s) > 200 {
		return ""
	}
	if u, err := url.Parse(s); err == nil && u.Host != "" {
		return u.Host
	}
	return s[strings.LastIndexByte(s, '@')+1:]
}
