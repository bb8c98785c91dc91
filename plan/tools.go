package plan

import (
	"fmt"

	"assay"
	"assay/internal/version"
)

// unable says why a probe cannot work where a trial runs: a host runs Windows, or lacks a tool.
func unable(inv assay.Inventory, t assay.Trial, spec assay.Spec) *assay.Absence {
	for _, host := range append([]string{t.Subject.Host, t.Peer}, t.Helpers...) {
		if inv.Facts[host].OS.Windows && !spec.Windows {
			return &assay.Absence{Word: assay.NotSupported, Why: fmt.Sprintf("%s runs Windows, and %s measures hosts of Linux only", host, spec.Name)}
		}
	}
	return lacking(inv.Facts[t.Subject.Host], spec)
}

// lacking says why a probe cannot work on a host: a tool is missing or too old.
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

// InstallHint says how to get a tool on a host with those facts.
func InstallHint(need assay.Tool, f assay.Facts) string {
	if pkg := need.Packages[f.Packager]; pkg != "" {
		return fmt.Sprintf("install it with assay doctor --install-tools, or by hand: %s %s", installWords[f.Packager], pkg)
	}
	if f.OS.Windows {
		return fmt.Sprintf("install %s in the guest, put %s.exe on the system's PATH, and restart the guest agent's service", need.Name, need.Name)
	}
	return "install " + need.Name + " and run again"
}

var installWords = map[string]string{
	"apt": "apt-get install", "dnf": "dnf install", "pacman": "pacman -S", "apk": "apk add",
}
