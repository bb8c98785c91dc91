package drbd

import (
	"fmt"
	"slices"

	"assay/internal/lazyregexp"
)

// tuning lists the options that affect a resource's speed, and how soon it drops a slow
// peer, by section. None of them runs a program or is a secret.
var tuning = map[string][]string{
	"disk": {"al-extents", "al-updates", "c-delay-target", "c-fill-target", "c-max-rate", "c-min-rate", "c-plan-ahead", "disk-barrier", "disk-drain", "disk-flushes", "md-flushes", "resync-rate"},
	"net":  {"ko-count", "max-buffers", "max-epoch-size", "ping-int", "ping-timeout", "rcvbuf-size", "sndbuf-size", "tcp-cork", "timeout", "unplug-watermark"},
}

// Option is one setting of a resource.
type Option struct {
	Section string `json:"section"` // disk, net
	Name    string `json:"name"`
	Value   string `json:"value"`
}

var plainValue = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9.]{0,31}$`)

// Valid reports whether Common would return the option.
func (o Option) Valid() bool {
	return slices.Contains(tuning[o.Section], o.Name) && plainValue.MatchString(o.Value)
}

// Common returns the speed options of the common section of drbdadm dump, in its order.
// A configuration may lack that section, and a host a configuration.
func Common(dump []byte) ([]Option, error) {
	root, err := parse(string(dump))
	if err != nil {
		return nil, fmt.Errorf("drbdadm dump: %w", err)
	}
	var all []Option
	for _, common := range root.all("common") {
		for _, section := range common.inner {
			for _, n := range section.inner {
				if !section.braces || n.braces || len(n.words) != 2 || len(section.words) != 1 {
					continue
				}
				if o := (Option{section.words[0], n.words[0], n.words[1]}); o.Valid() {
					all = append(all, o)
				}
			}
		}
	}
	return all, nil
}

// CommonProtocol returns the protocol set in the common section of drbdadm dump; "" if
// there is none.
func CommonProtocol(dump []byte) string {
	root, err := parse(string(dump))
	if err != nil {
		return ""
	}
	for _, common := range root.all("common") {
		if p := common.value("net", "protocol"); p == "A" || p == "B" || p == "C" {
			return p
		}
	}
	return ""
}
