package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

var objectOps = []string{"put", "get", "delete", "head", "list"}

// ofObjects returns the object operations that the result has figures for.
func (l look) ofObjects() []string {
	var found []string
	for _, op := range objectOps {
		for _, r := range l.reps {
			if hasPrefix(r, "object."+op+".") {
				found = append(found, op)
				break
			}
		}
	}
	return found
}

func hasPrefix(r assay.Repeat, stem string) bool {
	for i := range r.Measurements {
		if strings.HasPrefix(r.Measurements[i].Metric, stem) {
			return true
		}
	}
	return false
}

// objectSize returns the printed number of bytes per request; 0 if unknown, and
// for requests that move none.
func (l look) objectSize(op string) float64 {
	if op != "put" && op != "get" {
		return 0
	}
	for _, key := range []string{"object_size", "size"} {
		if bytes, ok := parseAmount(l.label("", key)); ok {
			return bytes
		}
	}
	return 0
}

// clients returns the requested number of concurrent requests; 0 if unknown.
func (l look) clients() int {
	for _, key := range []string{"concurrency", "clients", "threads"} {
		if n, ok := parseCount(l.label("", key)); ok {
			return n
		}
	}
	return 0
}

// onThisHost reports whether the server was reached without a network.
func (l look) onThisHost() bool {
	if l.label("", "route") == "local" {
		return true
	}
	endpoint := l.label("", "endpoint")
	if _, rest, found := strings.Cut(endpoint, "://"); found {
		endpoint = rest
	}
	host, _, _ := strings.Cut(endpoint, ":")
	if host != "" && (host == l.Trial.Subject.Host || host == l.facts.OS.Hostname) {
		return true
	}
	return host == "localhost" || strings.HasPrefix(host, "127.") || strings.HasPrefix(endpoint, "[::1]")
}

// halfStep returns half of a value's last printed digit, in the value's own
// unit, judging by its digits in the printed unit.
func halfStep(v, unit float64) float64 {
	printed := v / unit
	step := 1.0
	for range 4 {
		if math.Abs(printed/step-math.Round(printed/step)) < 1e-6*math.Max(1, math.Abs(printed/step)) {
			break
		}
		step /= 10
	}
	return step * unit / 2
}

// warpCommand returns a warp command for the operation; HOST, KEY, SECRET and
// BUCKET are left to fill in. rps is 0 for no limit.
func (l look) warpCommand(op string, clients int, rps float64) string {
	verb := map[string]string{"head": "stat"}[op]
	words := []string{"warp", orDefault(verb, op), "--host=HOST --access-key=KEY --secret-key=SECRET --bucket=BUCKET"}
	if size := l.objectSize(op); size > 0 {
		words = append(words, "--obj.size="+strconv.FormatFloat(math.Round(size), 'f', 0, 64))
	}
	words = append(words, fmt.Sprintf("--concurrent=%d", clients))
	if rps > 0 {
		words = append(words, "--rps-limit="+strconv.FormatFloat(rps, 'f', -1, 64))
	}
	return strings.Join(append(words, "--duration=5m"), " ")
}
