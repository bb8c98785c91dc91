package differences

import (
	"slices"
	"strings"

	"assay"
	"assay/inventory/survey"
	"assay/inventory/traits"
)

// perItem is a trait of items that several hosts have.
type perItem struct {
	what  string
	items func([]survey.Answer) []string
	// of returns "" if the value is unknown; has is false on a host without the
	// item.
	of func(a survey.Answer, item string) (text string, has bool)
}

// itemTraits returns the traits of mitigations, drives of one model, kernel settings and
// tools.
func itemTraits() []perItem {
	all := []perItem{{"mitigation of ", weaknesses, mitigation}}
	for _, t := range traits.Drive {
		if t.For(traits.Alike) {
			all = append(all, perItem{t.Name + " of ", driveModels, ofDrives(t.Text)})
		}
	}
	all = append(all, perItem{"", sysctls, func(a survey.Answer, name string) (string, bool) { return a.Facts.OS.Sysctls[name], true }})
	return append(all, perItem{"version of ", tools, func(a survey.Answer, name string) (string, bool) {
		t := a.Facts.Tool(name)
		return t.Version, t.Path != "" // a missing one is the doctor's business
	}})
}

func weaknesses(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (names []string) {
		for name := range f.CPU.Mitigations {
			names = append(names, name)
		}
		return names
	})
}

func sysctls(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (names []string) {
		for name := range f.OS.Sysctls {
			names = append(names, name)
		}
		return names
	})
}

// mitigation returns how the kernel mitigates a weakness, for hosts that have
// it: an unaffected host has another CPU, which is reported already.
func mitigation(a survey.Answer, weakness string) (string, bool) {
	text, known := a.Facts.CPU.Mitigations[weakness]
	return text, known && text != "Not affected"
}

func driveModels(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (models []string) {
		for _, b := range traits.Disks(f) {
			models = append(models, b.Model)
		}
		return models
	})
}

// ofDrives returns the values of all drives of a model on one host, each once.
func ofDrives(of func(assay.BlockDevice) string) func(survey.Answer, string) (string, bool) {
	return func(a survey.Answer, model string) (string, bool) {
		var values []string
		has := false
		for _, b := range traits.Disks(a.Facts) {
			if b.Model != model {
				continue
			}
			has = true
			if v := of(b); v != "" && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		return strings.Join(values, " and "), has
	}
}

func tools(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (names []string) {
		for _, t := range f.Tools {
			names = append(names, t.Name)
		}
		return names
	})
}

// items returns what any host has, sorted, each once.
func items(answers []survey.Answer, of func(assay.Facts) []string) []string {
	var found []string
	for _, a := range answers {
		found = append(found, of(a.Facts)...)
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(s string) bool { return s == "" })
}
