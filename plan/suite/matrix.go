package suite

import (
	"fmt"
	"maps"
	"strings"

	"assay"
	"assay/internal/yamldoc"
)

// matrix holds settings with several values each. Cases have one of each, in
// every combination; the last setting varies fastest.
type matrix []axis

// axis is one setting and its values.
type axis struct {
	setting string
	values  []string
}

// longestValue is in bytes.
const longestValue = 100

// longestTitle limits a name and a title together, in bytes.
const longestTitle = 500

// ReadYAML implements yamldoc.Reader.
func (m *matrix) ReadYAML(n yamldoc.Node) {
	for _, p := range n.Pairs() {
		a := axis{setting: p.Key}
		for _, v := range p.Items() {
			word := v.Written()
			if len(word) > longestValue || strings.ContainsAny(word, "{}") {
				v.Fault("%s: a value has at most %d letters, and no braces", p.Key, longestValue)
			}
			a.values = append(a.values, word)
		}
		if p.IsList() && len(a.values) == 0 {
			p.Fault("%s has no values", p.Key)
		}
		*m = append(*m, a)
	}
}

// cases returns a case for each combination, or the case itself if there is no matrix.
// {SETTING} in its name and title stands for the value; if the name has none, the values
// are added to both.
func (m matrix) cases(c assay.Case) ([]assay.Case, error) {
	total := 1
	for _, a := range m {
		if _, twice := c.Set[a.setting]; twice {
			return nil, fmt.Errorf("%s is both in set: and in matrix:, choose one", a.setting)
		}
		if total *= len(a.values); total > mostCases {
			return nil, fmt.Errorf("the matrix makes more than %d cases", mostCases)
		}
	}
	if len(c.Name)+len(c.Title) > longestTitle {
		return nil, fmt.Errorf("name and title have more than %d letters", longestTitle)
	}
	if len(m) > 0 && !strings.Contains(c.Name, "{") {
		for _, a := range m {
			c.Name += "-{" + a.setting + "}"
			if c.Title != "" {
				c.Title += ", " + a.setting + " {" + a.setting + "}"
			}
		}
		c.Name = strings.TrimPrefix(c.Name, "-")
	}
	all := []assay.Case{c}
	for _, a := range m {
		var more []assay.Case
		for _, c := range all {
			for _, v := range a.values {
				one := c
				one.Set = maps.Clone(c.Set)
				if one.Set == nil {
					one.Set = map[string]string{}
				}
				one.Set[a.setting] = v
				one.Name = strings.ReplaceAll(c.Name, "{"+a.setting+"}", v)
				one.Title = strings.ReplaceAll(c.Title, "{"+a.setting+"}", v)
				more = append(more, one)
			}
		}
		all = more
	}
	return all, nil
}
