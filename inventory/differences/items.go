package differences

import (
	"slices"
	"strings"

	"assay"
	"assay/inventory/survey"
	"assay/inventory/traits"
)

// perItem is what hosts have of things that several of them have.
type perItem struct {
	what  string
	items func([]survey.Answer) []string
	// of gives "" for what is not known; has is false on a host without the item.
	of func(a survey.Answer, item string) (text string, has bool)
}

// itemTraits are the mitigations, what drives of one model have, the kernel's settings, and
// the tools.
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
		return t.Version, t.Path != "" // one that is missing is the doctor's business
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

// mitigation is what the kernel does about a weakness, among hosts that have it:
// one that is not affected has another CPU, which is told already.
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

// ofDrives is what all drives of a model on one host have, each value once.
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
