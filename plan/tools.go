package plan

import (
	"fmt"
	"slices"

	"assay"
	"assay/internal/version"
)

// unable returns why a probe cannot work where a trial runs: a host has another operating
// system, or lacks a tool.
func unable(inv assay.Inventory, t assay.Trial, spec assay.Spec) *assay.Absence {
	for _, host := range append([]string{t.Subject.Host, t.Peer}, t.Helpers...) {
		windows := inv.Facts[host].OS.Windows
		switch {
		case host == "" || spec.Systems.Include(windows):
		case windows:
			return &assay.Absence{Word: assay.NotSupported, Why: fmt.Sprintf("%s runs Windows, and %s measures hosts of Linux only", host, spec.Name)}
		default:
			return &assay.Absence{Word: assay.NotSupported, Why: fmt.Sprintf("%s does not run Windows, and %s measures hosts of Windows only", host, spec.Name)}
		}
	}
	return lacking(inv.Facts[t.Subject.Host], spec)
}

// lacking returns why a probe cannot work on a host: a tool is missing or too
// old.
func lacking(f assay.Facts, spec assay.Spec) *assay.Absence {
	for _, need := range spec.Tools {
		if need.Optional {
			continue
		}
		have := f.Tool(need.Name)
		if have.Path == "" {
			return &assay.Absence{Word: assay.Unknown, Why: need.Name + " is not installed", Hint: InstallHint(need, f)}
		}
		if version.Older(have.Version, need.Least) {
			return &assay.Absence{
				Word: assay.Unknown,
				Why:  fmt.Sprintf("%s is too old: found %s, need %s or later", need.Name, have.Version, need.Least),
				Hint: InstallHint(need, f),
			}
		}
	}
	return nil
}

// instead replaces a case's trials on hosts that lack its probe's tools, if another probe
// stands in for it and has its own there.
func instead(inv assay.Inventory, c assay.Case, trials []assay.Trial, spec assay.Spec, probes []assay.Probe) error {
	for _, p := range probes {
		other := p.Spec()
		if other.InsteadOf != spec.Name {
			continue
		}
		theirs, err := p.Trials(inv, c)
		if err != nil {
			return err
		}
		for i := range trials {
			t := &trials[i]
			f := inv.Facts[t.Subject.Host]
			lack := lacking(f, spec)
			if lack == nil || !other.Systems.Include(f.OS.Windows) {
				continue
			}
			at := slices.IndexFunc(theirs, func(o assay.Trial) bool { return o.Subject.ID == t.Subject.ID })
			switch without := lacking(f, other); {
			case at >= 0 && without == nil:
				*t = theirs[at]
			case at >= 0 && t.Absent == nil:
				t.Absent = &assay.Absence{
					Word: lack.Word, Why: lack.Why + ", and " + without.Why,
					Hint: "one of them is enough: " + InstallHint(assay.Tool{Name: spec.Name + " or " + other.Name}, f),
				}
			}
		}
	}
	return nil
}

// Spared reports whether a host can do without a probe's tools because it has those of one
// that stands in for it, or that it would stand in for.
func Spared(f assay.Facts, spec assay.Spec, probes []assay.Probe) bool {
	return slices.ContainsFunc(probes, func(p assay.Probe) bool {
		other := p.Spec()
		pair := other.InsteadOf == spec.Name || spec.InsteadOf != "" && spec.InsteadOf == other.Name
		return pair && other.Systems.Include(f.OS.Windows) && lacking(f, other) == nil
	})
}

// InstallHint returns how to get a tool on a host with those facts.
func InstallHint(need assay.Tool, f assay.Facts) string {
	if pkg := need.Packages[f.Packager]; pkg != "" {
		return fmt.Sprintf("install it with assay doctor --install-tools, or by hand: %s %s", installWords[f.Packager], pkg)
	}
	if f.OS.Windows {
		return fmt.Sprintf("install %s in the guest, put its folder on the system's PATH, and restart the guest agent's service", need.Name)
	}
	return "install " + need.Name + " and run again"
}

var installWords = map[string]string{
	"apt": "apt-get install", "dnf": "dnf install", "pacman": "pacman -S", "apk": "apk add",
}
