package compare

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/inventory/traits"
)

// facts returns what a series was measured on, as far as a figure can depend on
// it.
func (s *series) facts() map[string]string {
	subject, run := s.Result.Trial.Subject, s.Run
	f := run.Inventory.Facts[subject.Host]
	all := map[string]string{"host": subject.Host, "assay": run.Version}
	for _, t := range traits.Host {
		if t.For(traits.Compare) {
			all[t.Name] = t.Text(f)
		}
	}
	for _, name := range circumstances {
		all[name] = s.labels[name]
	}
	if tool := s.labels["tool"]; tool != "" {
		delete(all, "version")
		all[tool] = s.labels["version"]
	}
	switch subject.Kind {
	case assay.KindDirectory:
		all["directory"] = subject.Name
		addDirectory(all, f, subject.Name)
	case assay.KindDrive:
		if d := f.Device(subject.Name); d != nil {
			all["drive"], all["firmware"] = named(*d), d.Firmware
		}
	case assay.KindMemory:
		all["memory modules"] = modules(f.Memory)
	case assay.KindLink:
		all["peer"] = subject.Peer
	}
	return all
}

// addDirectory adds what a directory lies on, down to the drives.
func addDirectory(all map[string]string, f assay.Facts, path string) {
	dir := f.Dir(path)
	if dir == nil {
		return
	}
	for _, t := range traits.Directory {
		if t.For(traits.Compare) {
			all[t.Name] = t.Text(*dir)
		}
	}
	drives := slices.DeleteFunc(slices.Clone(dir.Drives), func(name string) bool { return f.Device(name) == nil })
	all["drive"] = several(drives, func(name string) string { return named(*f.Device(name)) })
	for _, t := range traits.Drive {
		if t.For(traits.Compare) {
			all[t.Name] = several(drives, func(name string) string { return t.Text(*f.Device(name)) })
		}
	}
	if pool := f.Pool(dir.Dataset); pool != nil && dir.Dataset != "" {
		all[pool.Kind] = pool.Version
		for name, value := range pool.Properties {
			all[pool.Kind+" "+name] = value
		}
	}
}

// named describes a drive by its model, else by its bus.
func named(d assay.BlockDevice) string {
	if d.Model != "" {
		return d.Model
	}
	return strings.TrimSpace(string(d.Bus) + " " + gibibytes(d.Bytes))
}

func modules(m assay.MemoryFacts) string {
	return several(m.DIMMs, func(d assay.DIMM) string {
		return strings.TrimSpace(fmt.Sprintf("%s %s-%d", gibibytes(d.Bytes), d.Type, d.MTs))
	})
}

// several joins what say returns for each element, counting duplicates: "2 x
// SAMSUNG, KINGSTON".
func several[T any](all []T, say func(T) string) string {
	count := map[string]int{}
	for _, one := range all {
		if text := say(one); text != "" {
			count[text]++
		}
	}
	var words []string
	for _, one := range slices.Sorted(maps.Keys(count)) {
		if count[one] > 1 {
			one = fmt.Sprintf("%d x %s", count[one], one)
		}
		words = append(words, one)
	}
	return strings.Join(words, ", ")
}

// gibibytes formats to three digits.
func gibibytes(n int64) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
}

// unlikeFacts returns the facts that differ between the cells.
func unlikeFacts(cells [][]*series) []Difference {
	return differences(cells, (*series).facts, func(_, a, b string) bool { return a == b })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func whole(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
