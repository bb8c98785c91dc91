package selection

import (
	"errors"
	"slices"
	"strings"

	"assay"
	"assay/internal/nearest"
)

// Separator stands between two columns.
const Separator = "vs"

// The keys that take a name of their own behind them.
const (
	labelPrefix   = "label."
	settingPrefix = "setting."
)

var keys = []string{"run", "host", "suite", "probe", "case", "subject", "metric", "date", "imported", "label.NAME", "setting.NAME"}

// operators are tried in this order: the longer ones first.
var operators = []string{"!=", ">=", "<=", "=", ">", "<"}

// A Resolver gives the id of the run that a name means.
type Resolver func(name string) (id string, err error)

// Parse reads the words of a command line into at least two columns. Names of
// runs that have no * go through resolve, whose error is passed on; nil takes
// them as they are. Any other error names the word, and hints at what was
// probably meant.
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

// split parts what stands in one argument: at each space behind which a term or
// the separator begins, or before which no value can go on.
func split(argument string) []string {
	var out []string
	takes := false // a value stands before, to which a plain word belongs
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

// sides parts tokens at the separators.
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

// runs makes a column of each run, and gives the other words to all of them.
func (p parser) runs(tokens []string) ([]Column, error) {
	var names, common []string
	for _, t := range tokens {
		if _, _, _, is := cutOperator(t); is {
			common = append(common, t)
		} else {
			names = append(names, t)
		}
	}
	// The words are looked at first: what is wrong with one is more to say than
	// that there are too few.
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

// cutOperator parts a word at its first operator; is says whether there is one
// behind what could be a key.
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

// exampleOf is a value that a key could have.
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
