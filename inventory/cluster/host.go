package cluster

import (
	"slices"
	"strconv"
	"strings"

	"assay/internal/yamldoc"
	"assay/volume/device"
)

// hostFields reads into h, over the values already set: labels are merged one
// by one, everything else is replaced.
func (r *reader) hostFields(h *Host) fields {
	return fields{
		"address": func(n yamldoc.Node) { h.Address = address(n) },
		"user": func(n yamldoc.Node) {
			if text, ok := n.Text(); ok && !ValidUser(text) {
				n.Fault("%s: %q cannot be a user's name", n.What, yamldoc.Clip(text))
			} else {
				h.User = text
			}
		},
		"port":    func(n yamldoc.Node) { h.Port = n.Integer(leastPort, mostPort) },
		"sudo":    func(n yamldoc.Node) { h.Sudo = n.Truth() },
		"labels":  func(n yamldoc.Node) { labels(n, h) },
		"measure": func(n yamldoc.Node) { measure(n, &h.Measure) },
		"ssh": func(n yamldoc.Node) {
			n.Fields(fields{"config": func(n yamldoc.Node) { h.SSH.Config = string(yamldoc.As[yamldoc.FileName](n)) }})
		},
	}
}

func address(n yamldoc.Node) string {
	text, ok := n.Text()
	if !ok || ValidAddress(text) {
		return text
	}
	user, rest, at := strings.Cut(text, "@")
	host, port, colon := strings.Cut(text, ":")
	switch {
	case at && ValidUser(user) && ValidAddress(rest):
		n.Fault("%s: %q; write address: %s and user: %s", n.What, yamldoc.Clip(text), rest, user)
	case colon && ValidAddress(host) && isNumber(port):
		n.Fault("%s: %q; write address: %s and port: %s", n.What, yamldoc.Clip(text), host, port)
	case strings.HasPrefix(text, "[") && ValidAddress(strings.Trim(text, "[]")):
		n.Fault("%s: %q; write it without brackets", n.What, yamldoc.Clip(text))
	default:
		n.Fault("%s: %q is neither an address nor a name", n.What, yamldoc.Clip(text))
	}
	return ""
}

func labels(n yamldoc.Node, h *Host) {
	for _, p := range n.Pairs() {
		value, ok := p.Word()
		switch {
		case !labelPattern.MatchString(p.Key):
			p.FaultKey("%s: %q cannot be a label: letters, digits, dots, hyphens and underscores, the first a letter or digit, 63 at most", n.What, yamldoc.Clip(p.Key))
		case !ok:
			p.Fault("%s: label %s is %s; expected a word", n.What, p.Key, p.Kind())
		case value == "" || len(value) > yamldoc.LongestLabel || !yamldoc.Printable(value):
			p.Fault("%s: label %s: a word of 1 to %d letters is expected", n.What, p.Key, yamldoc.LongestLabel)
		default:
			if h.Labels == nil {
				h.Labels = map[string]string{}
			}
			h.Labels[p.Key] = value
		}
	}
}

func measure(n yamldoc.Node, m *Measure) {
	n.Fields(fields{
		"directories": func(n yamldoc.Node) { m.Directories = texts(yamldoc.As[[]yamldoc.Path](n)) },
		"devices":     func(n yamldoc.Node) { m.Devices = texts(yamldoc.As[[]yamldoc.DevicePath](n)) },
		"overwrite":   func(n yamldoc.Node) { m.Overwrite = overwrite(n) },
	})
}

// overwrite reads the drives that may be overwritten, each once.
func overwrite(n yamldoc.Node) []device.Device {
	all := yamldoc.As[[]device.Device](n)
	for i, d := range all {
		same := func(other device.Device) bool {
			return other.Path == d.Path || other.Serial+yamldoc.Label(other.Backing) == d.Serial+yamldoc.Label(d.Backing)
		}
		if slices.ContainsFunc(all[:i], same) {
			n.Fault("%s: %s is there twice", n.What, d.Path)
		}
	}
	return all
}

func isNumber(word string) bool {
	_, err := strconv.ParseUint(word, 10, 16)
	return err == nil
}

func portWord(port int) string {
	if port == 0 {
		port = 22 // ssh's default unless configured otherwise
	}
	return strconv.Itoa(port)
}
