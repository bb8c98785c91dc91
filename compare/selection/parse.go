package selection

import (
	"errors"
	"slices"
	"strings"

	"assay"
	"assay/internal/nearest"
)

// Separator separates two columns.
const Separator = "vs"

// The keys that are followed by a name of their own.
const (
	labelPrefix   = "label."
	settingPrefix = "setting."
)

var keys = []string{"run", "host", "suite", "probe", "case", "subject", "metric", "date", "imported", "label.NAME", "setting.NAME"}

// operators are tried in this order: longer ones first.
var operators = []string{"!=", ">=", "<=", "=", ">", "<"}

// A Resolver returns the id of the run that a name means.
type Resolver func(name string) (id string, err error)

// Parse parses the words of a command line into at least two columns. Run names
// without * go through resolve, whose error is passed on; nil leaves them as
// they are. Any other error names the word, and hints at what was probably
// meant.
func Parse(words []string, resolve Resolver) ([]Column, error) {
	var tokens []string
	for _, w := range words {
		tokens = append(tokens, split(w)...)
	}
	if len(tokens) == 0 {
		return nil, tooFew()
	}
	p := parser{resolve: resolve}
	if !slices.Contains(tokens, Separator) {
		return p.runs(tokens)
	}
	var columns []Column
	for _, side := range sides(tokens) {
		if len(side) == 0 {
			return nil, assay.WithHint("as in host=pve1 vs host=pve2", "%s: a selection is required on both sides of it", Separator)
		}
		c, err := p.column(side)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, nil
}

func tooFew() error {
	return assay.WithHint("for example: assay compare RUN RUN, or assay compare host=pve1 vs host=pve2",
		"name two runs, or two selections with %s between them", Separator)
}

// split splits one argument at each space that precedes a term or the
// separator, or that follows what no value can continue.
func split(argument string) []string {
	var out []string
	takes := false // a plain word continues the preceding value
	for _, word := range strings.Fields(argument) {
		_, _, _, isTerm := cutOperator(word)
		switch {
		case isTerm:
			takes = true
		case word == Separator || !takes:
			takes = false
		default:
			out[len(out)-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// sides splits tokens at the separators.
func sides(tokens []string) (out [][]string) {
	for {
		i := slices.Index(tokens, Separator)
		if i < 0 {
			return append(out, tokens)
		}
		out, tokens = append(out, tokens[:i]), tokens[i+1:]
	}
}

type parser struct{ resolve Resolver }

// runs returns one column per run, and adds the other words to each.
func (p parser) runs(tokens []string) ([]Column, error) {
	var names, common []string
	for _, t := range tokens {
		if _, _, _, is := cutOperator(t); is {
			common = append(common, t)
		} else {
			names = append(names, t)
		}
	}
	// Check the words first: an error in one says more than that there are too
	// few runs.
	shared, err := p.column(common)
	if err != nil {
		return nil, err
	}
	if len(names) < 2 {
		return nil, tooFew()
	}
	var columns []Column
	for _, name := range names {
		c, err := p.column([]string{name})
		if err != nil {
			return nil, err
		}
		columns = append(columns, Column{append(c.Terms, shared.Terms...)})
	}
	return columns, nil
}

func (p parser) column(tokens []string) (c Column, err error) {
	for _, t := range tokens {
		one, err := p.term(t)
		if err != nil {
			return c, err
		}
		c.Terms = append(c.Terms, one)
	}
	return c, nil
}

func (p parser) term(word string) (t Term, err error) {
	key, op, value, is := cutOperator(word)
	if !is {
		key, op, value = "run", "=", word
	}
	t = Term{Key: key, Op: op, Values: strings.Split(value, ",")}
	if err := checkKey(key); err != nil {
		return t, err
	}
	if slices.Contains(t.Values, "") {
		return t, assay.WithHint("as in "+key+"="+exampleOf(key), "%s: a value is missing", word)
	}
	if key == "date" {
		return t, t.readDates(word)
	}
	if op != "=" && op != "!=" {
		return t, assay.WithHint("only date supports "+op, "%s: %s supports only = and !=", word, key)
	}
	if key == "imported" && slices.ContainsFunc(t.Values, func(v string) bool { return v != "yes" && v != "no" && v != "*" }) {
		return t, assay.WithHint("imported=yes, imported=no, or imported=* for both", "%s: not a word for whether a run was imported", word)
	}
	if key == "run" && p.resolve != nil {
		for i, name := range t.Values {
			if strings.Contains(name, "*") {
				continue
			}
			if t.Values[i], err = p.resolve(name); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// cutOperator splits a word at its first operator; is reports whether there is
// one after a possible key.
func cutOperator(word string) (key, op, value string, is bool) {
	at := strings.IndexAny(word, "=!<>")
	if at <= 0 || strings.ContainsAny(word[:at], "/,*") {
		return "", "", "", false
	}
	for _, o := range operators {
		if rest, found := strings.CutPrefix(word[at:], o); found {
			return word[:at], o, rest, true
		}
	}
	return "", "", "", false
}

func checkKey(key string) error {
	for _, prefix := range []string{labelPrefix, settingPrefix} {
		if name, found := strings.CutPrefix(key, prefix); found {
			if name == "" {
				return assay.WithHint("as in "+prefix+exampleOf(prefix), "%s: the name after the dot is missing", key)
			}
			return nil
		}
	}
	if slices.Contains(keys, key) && !strings.HasSuffix(key, "NAME") {
		return nil
	}
	hint := "the keys are: " + strings.Join(keys, ", ")
	if near := nearest.Name(key, keys); near != "" {
		hint = "did you mean " + near + "?"
	}
	return assay.WithHint(hint, "unknown key %q", key)
}

// exampleOf returns an example value for a key.
func exampleOf(key string) string {
	examples := map[string]string{
		"run": "latest", "host": "pve1", "suite": "baseline", "probe": "fio", "case": "randread-4k", "subject": "/srv",
		"metric": "storage.read.iops", "date": "2026-11-01", "imported": "yes", labelPrefix: "rack=a", settingPrefix: "direct=1",
	}
	if e := examples[key]; e != "" {
		return e
	}
	return "VALUE"
}

var errDate = errors.New("not a date")
