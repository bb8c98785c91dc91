package analysis

import (
	"fmt"
	glob "path"
	"slices"
	"strconv"
	"strings"

	"assay"
)

// Change is one change to a cluster.
type Change struct {
	Of    string // hosts, nodes or tiers, as a pattern: pve4, pve*, tank
	What  ChangeKind
	Value float64 // bit/s of a NIC, copies, hosts; B/s of a drive, 0 for one with power-loss protection
}

// ChangeKind is what is changed.
type ChangeKind string

// The kinds, the cheapest first.
const (
	ChangeReplicas ChangeKind = "replicas" // copies of each byte
	ChangeSync     ChangeKind = "sync"     // writes are acknowledged before they are durable
	ChangeNIC      ChangeKind = "nic"
	ChangeDrive    ChangeKind = "drive" // with power-loss protection, or of another rate
	ChangeHost     ChangeKind = "host"  // one more
)

var changeKinds = []ChangeKind{ChangeReplicas, ChangeSync, ChangeNIC, ChangeDrive, ChangeHost}

// ParseChange reads NAME.nic=10G, NAME.replicas=2, NAME.drive=PLP, NAME.drive=500MB/s or
// NAME.sync=off.
func ParseChange(word string) (Change, error) {
	left, value, _ := strings.Cut(word, "=")
	dot := strings.LastIndexByte(left, '.')
	hint := "for example pve4.nic=10G, 'pve*.drive=PLP', pool.drive=500MB/s, tank.replicas=2 or tank.sync=off"
	if dot <= 0 || value == "" {
		return Change{}, assay.WithHint(hint, "%q is no change", word)
	}
	c := Change{Of: left[:dot], What: ChangeKind(left[dot+1:])}
	if _, err := glob.Match(c.Of, ""); err != nil {
		return Change{}, assay.WithHint(hint, "%q: %q is no pattern", word, c.Of)
	}
	ok := false
	switch c.What {
	case ChangeNIC:
		c.Value, ok = bits(value)
	case ChangeReplicas:
		n, err := strconv.Atoi(value)
		c.Value, ok = float64(n), err == nil && n >= 1 && n <= 16
	case ChangeDrive:
		if ok = strings.EqualFold(value, "PLP"); !ok {
			c.Value, ok = bytesPerSecond(value)
		}
	case ChangeSync:
		ok = value == "off" || value == "disabled"
	}
	if !ok {
		return Change{}, assay.WithHint(hint, "%q: cannot set %s to %q", word, c.What, value)
	}
	return c, nil
}

// AddHost returns the change that adds a host with the drives and links of
// another.
func AddHost(name string) Change { return Change{Of: name, What: ChangeHost, Value: 1} }

// bits parses a speed: 10G, 2.5G, 100M.
func bits(word string) (float64, bool) {
	unit := map[string]float64{"G": 1e9, "M": 1e6}[strings.ToUpper(word[len(word)-1:])]
	v, err := strconv.ParseFloat(word[:len(word)-1], 64)
	return v * unit, err == nil && unit > 0 && v > 0 && v*unit <= 1e13
}

// bytesPerSecond parses a rate: 500MB/s, 3.2GB/s.
func bytesPerSecond(word string) (float64, bool) {
	for unit, size := range map[string]float64{"MB/s": 1e6, "GB/s": 1e9} {
		if number, is := strings.CutSuffix(word, unit); is {
			v, err := strconv.ParseFloat(number, 64)
			return v * size, err == nil && v > 0 && v*size <= 1e12
		}
	}
	return 0, false
}

// String returns the change as it is typed.
func (c Change) String() string {
	switch c.What {
	case ChangeNIC:
		return c.Of + ".nic=" + strconv.FormatFloat(c.Value/1e9, 'g', -1, 64) + "G"
	case ChangeReplicas:
		return fmt.Sprintf("%s.replicas=%.0f", c.Of, c.Value)
	case ChangeDrive:
		if c.Value > 0 {
			return c.Of + ".drive=" + strconv.FormatFloat(c.Value/1e6, 'g', -1, 64) + "MB/s"
		}
		return c.Of + ".drive=PLP"
	case ChangeSync:
		return c.Of + ".sync=off"
	}
	return "host=" + c.Of
}

func (c Change) means(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		is, _ := glob.Match(c.Of, name)
		return is && name != ""
	})
}

// Touches reports whether a run has something that a change names.
func Touches(run assay.Run, c Change) bool {
	if c.What == ChangeHost {
		return true
	}
	b := builderOf(run)
	var names []string
	for _, s := range run.Inventory.Subjects {
		names = append(names, s.Host, b.nodeOf(s.Host), s.Tier, s.Name)
	}
	return c.means(names...)
}
