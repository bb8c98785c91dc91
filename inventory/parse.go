package inventory

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Parse parses the output of facts.sh. It is pure and total: it returns facts,
// or an error if raw is not a complete capture. A single missing or invalid
// fact is not an error: it stays zero and is listed in Facts.Missing.
// Facts.Host is left empty: the capture does not know the host's name in the
// inventory.
func Parse(raw []byte) (assay.Facts, error) {
	c, err := readCapture(raw)
	if err != nil {
		return assay.Facts{}, err
	}
	r := &reader{capture: c}
	r.system()
	r.processor()
	r.environment()
	r.memory()
	r.mounts = readMounts(c.files["/proc/self/mountinfo"])
	r.blocks()
	r.limits()
	r.pools()
	r.directories()
	r.interfaces()
	r.sensors()
	r.programs()
	return r.facts, nil
}

// reader turns a capture into facts, group by group: each may use what earlier
// ones found.
type reader struct {
	*capture
	facts  assay.Facts
	mounts []mount
	phys   map[string]string   // of each block device, up to its controller
	member map[string][]string // block devices of each ZFS pool
}

// missing records an unavailable fact.
func (r *reader) missing(fact, why, hint string) {
	r.facts.Missing = append(r.facts.Missing, assay.MissingFact{Fact: fact, Why: why, Hint: hint})
}

// virtual reports whether this is known to be a virtual machine.
func (r *reader) virtual() bool { return r.facts.CPU.Virtual != nil && *r.facts.CPU.Virtual }

var versionNumber = lazyregexp.New(`\d+(\.\d+)+[0-9A-Za-z.+~-]*`)

// programs records each program that was looked for. A version is the number
// alone, so that it can be compared; BusyBox is named, because its number is
// not that of the program it stands in for.
func (r *reader) programs() {
	for _, t := range r.tools {
		f := assay.ToolFacts{Name: t.name, Path: t.path, Script: t.script}
		if t.path != "" {
			f.Version = version(r.runs["version."+t.name].lines)
			if f.Version == "" {
				r.missing(t.name+" version", t.name+" --version does not report it", "")
			}
		}
		r.facts.Tools = append(r.facts.Tools, f)
	}
	switch r.packager {
	case "apt-get":
		r.facts.Packager = "apt"
	default:
		r.facts.Packager = r.packager
	}
}

func version(lines []string) string {
	for _, line := range lines {
		if number := versionNumber.FindString(line); number != "" {
			if strings.Contains(line, "BusyBox") {
				return "BusyBox " + number
			}
			return strings.TrimRight(number, ".-+~")
		}
	}
	return ""
}

func truth(b bool) *bool { return &b }
