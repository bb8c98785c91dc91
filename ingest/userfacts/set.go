package userfacts

import (
	"fmt"
	"strings"
	"unicode"

	"assay"
	"assay/internal/nearest"
)

// The names that given facts use.
const (
	Disk  = "disk"  // the block device
	Given = "given" // the directory on it
	NIC   = "nic"   // the interface
	// Dataset is the placeholder for the ZFS dataset in suggested commands.
	Dataset = "DATASET"
)

// Set parses the value of one --fact flag, words separated by commas:
// "nic=10G,mtu=1500". What the words do not say stays as it is in f. On an
// error, which names the word and what is expected, all of f does.
func Set(f *assay.Facts, text string) error {
	pairs, err := split(text)
	if err != nil {
		return err
	}
	given := Merge(assay.Facts{}, *f) // a private copy
	seen := map[string]bool{}
	for _, p := range pairs {
		if seen[p.name] {
			return fmt.Errorf("duplicate fact %s", p.name)
		}
		seen[p.name] = true
		if err := setOne(&given, p.name, p.value); err != nil {
			return err
		}
	}
	settle(&given)
	*f = given
	return nil
}

// setOne sets one word. It does not settle the directory.
func setOne(f *assay.Facts, name, value string) error {
	w := word(name)
	if w == nil {
		return unknown(name)
	}
	value = strings.TrimSpace(value)
	if value == "" || len(value) > longestValue || strings.ContainsFunc(value, unicode.IsControl) {
		return assay.WithHint("for example "+w.Example, "fact %s: expected %s", name, w.expects)
	}
	if !w.set(f, name, value) {
		return assay.WithHint("for example "+w.Example, "fact %s=%s: expected %s", name, value, w.expects)
	}
	return nil
}

// longestValue exceeds the length of any processor or drive name.
const longestValue = 200

func unknown(name string) error {
	var names []string
	for _, w := range words {
		names = append(names, w.Name)
	}
	for _, property := range zfsProperties {
		names = append(names, "zfs."+property)
	}
	hint := "the facts are " + strings.Join(names, ", ")
	if near := nearest.Name(name, names); near != "" {
		hint = "did you mean " + word(near).exampleOf(near) + "?"
	}
	return assay.WithHint(hint, "unknown fact %.40q", name)
}

type pair struct{ name, value string }

// split splits the value of one flag. A comma that is not followed by another
// name and an equals sign is part of the value if that may be any text, such as
// a model's name; elsewhere it is an error.
func split(text string) ([]pair, error) {
	var pairs []pair
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		last := len(pairs) - 1
		switch {
		case ok && isName(name):
			pairs = append(pairs, pair{name, value})
		case last >= 0 && isFree(pairs[last].name):
			pairs[last].value += "," + part
		default:
			return nil, badPart(part)
		}
	}
	return pairs, nil
}

func badPart(part string) error {
	part = strings.TrimSpace(part)
	if w := word(strings.ToLower(part)); w != nil {
		return assay.WithHint("for example "+w.exampleOf(strings.ToLower(part)), "fact %s: expected %s=VALUE", part, strings.ToLower(part))
	}
	return assay.WithHint("for example nic=10G,mtu=1500", "fact %.40q: expected NAME=VALUE, with commas between several", part)
}

func isName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r == '_'
		if !letter && (i == 0 || r != '.' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

func isFree(name string) bool {
	w := word(name)
	return w != nil && w.free
}
