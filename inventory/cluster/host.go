package cluster

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// hostFields reads into h, over what stands there already: labels one by one,
// everything else as a whole.
func (r *reader) hostFields(h *Host) fields {
	return fields{
		"address": func(n node) { h.Address = r.address(n) },
		"user": func(n node) {
			if text, ok := r.text(n); ok && !ValidUser(text) {
				r.fault(n.at, "%s: %q cannot be a user's name", n.what, clip(text))
			} else {
				h.User = text
			}
		},
		"port":    func(n node) { h.Port = r.integer(n, leastPort, mostPort) },
		"sudo":    func(n node) { h.Sudo = r.truth(n) },
		"labels":  func(n node) { r.labels(n, h) },
		"measure": func(n node) { r.measure(n, &h.Measure) },
		"ssh": func(n node) {
			r.read(n, fields{"config": func(n node) { h.SSH.Config = r.sshConfig(n) }})
		},
	}
}

func (r *reader) address(n node) string {
	text, ok := r.text(n)
	if !ok || ValidAddress(text) {
		return text
	}
	user, rest, at := strings.Cut(text, "@")
	host, port, colon := strings.Cut(text, ":")
	switch {
	case at && ValidUser(user) && ValidAddress(rest):
		r.fault(n.at, "%s: %q; write address: %s and user: %s", n.what, clip(text), rest, user)
	case colon && ValidAddress(host) && isNumber(port):
		r.fault(n.at, "%s: %q; write address: %s and port: %s", n.what, clip(text), host, port)
	case strings.HasPrefix(text, "[") && ValidAddress(strings.Trim(text, "[]")):
		r.fault(n.at, "%s: %q; write it without brackets", n.what, clip(text))
	default:
		r.fault(n.at, "%s: %q is neither an address nor a name", n.what, clip(text))
	}
	return ""
}

func (r *reader) labels(n node, h *Host) {
	for _, p := range r.pairs(n) {
		value, ok := word(p.value)
		switch {
		case !labelPattern.MatchString(p.key):
			r.fault(p.keyAt, "%s: %q cannot be a label: letters, digits, dots, hyphens and underscores, the first a letter or digit, 63 at most", n.what, clip(p.key))
		case !ok:
			r.fault(p.at, "%s: label %s is %s; expected a word", n.what, p.key, kindOf(p.value))
		case value == "" || len(value) > longestLabel || !printable(value):
			r.fault(p.at, "%s: label %s: a word of 1 to %d letters is expected", n.what, p.key, longestLabel)
		default:
			if h.Labels == nil {
				h.Labels = map[string]string{}
			}
			h.Labels[p.key] = value
		}
	}
}

func (r *reader) measure(n node, m *Measure) {
	r.read(n, fields{
		"directories": func(n node) { m.Directories = r.paths(n, "/") },
		"devices":     func(n node) { m.Devices = r.paths(n, "/dev/") },
	})
}

// paths reads a list of paths, each below root and each once.
func (r *reader) paths(n node, root string) []string {
	var all []string
	seen := map[string]bool{}
	for _, item := range r.items(n) {
		text, ok := r.text(item)
		switch {
		case !ok:
		case !plainPath(text) || !strings.HasPrefix(text, root):
			r.fault(item.at, "%s: %q is not a path from %s on", n.what, clip(text), root)
		case seen[text]:
			r.fault(item.at, "%s: %s stands there twice", n.what, clip(text))
		default:
			seen[text] = true
			all = append(all, text)
		}
	}
	return all
}

func (r *reader) sshConfig(n node) string {
	text, ok := r.text(n)
	if ok && (text == "" || len(text) > longestPath || strings.HasPrefix(text, "-") || !printable(text)) {
		r.fault(n.at, "%s: %q cannot be a file", n.what, clip(text))
	}
	return text
}

// text reads a word that is no number, truth or mapping.
func (r *reader) text(n node) (string, bool) {
	if s, ok := n.value.(*ast.StringNode); ok {
		return s.Value, true
	}
	r.fault(n.at, "%s is %s; expected a word", n.what, kindOf(n.value))
	return "", false
}

func (r *reader) truth(n node) bool {
	if b, ok := n.value.(*ast.BoolNode); ok {
		return b.Value
	}
	r.fault(n.at, "%s is %s; expected true or false", n.what, kindOf(n.value))
	return false
}

func (r *reader) integer(n node, least, most int) int {
	if i, ok := n.value.(*ast.IntegerNode); ok {
		// The parser gives uint64 or int64, and something else past them.
		if v, err := strconv.Atoi(strings.TrimSpace(asText(i.Value))); err == nil && v >= least && v <= most {
			return v
		}
	}
	r.fault(n.at, "%s is %s; expected a number from %d to %d", n.what, kindOf(n.value), least, most)
	return 0
}

func asText(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return ""
}

func isNumber(word string) bool {
	_, err := strconv.ParseUint(word, 10, 16)
	return err == nil
}

func portWord(port int) string {
	if port == 0 {
		port = 22 // what ssh takes unless its configuration says otherwise
	}
	return strconv.Itoa(port)
}

// clip shortens what is quoted in a fault.
func clip(word string) string {
	const most = 60
	if letters := []rune(word); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return word
}
