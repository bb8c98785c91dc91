package doc_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay"
	"assay/audit"
)

// Anyone can check a finding with a pocket calculator: what it says about its
// own numbers is true within the printed digits. The test recomputes the sums
// from the words alone, using none of the program's own arithmetic.
func TestEveryFindingAddsUp(t *testing.T) {
	wordings := map[string]int{}
	for _, c := range cases(t) {
		if c.Apart {
			continue
		}
		for _, f := range verdicts(t, c).findings {
			if f.Severity == assay.NotChecked {
				continue
			}
			if f.Arithmetic == "" {
				t.Errorf("%s: %s %s has no arithmetic", c.name(), f.Severity, f.Rule)
			}
			at, err := addsUp(f.Rule, f.Arithmetic)
			if err != nil {
				t.Errorf("%s: %s %s: %q: %v", c.name(), f.Severity, f.Rule, f.Arithmetic, err)
			}
			wordings[at]++
		}
	}
	for _, r := range audit.Rules() {
		at, err := addsUp(r.ID, r.Example)
		if err != nil {
			t.Errorf("the example of rule %s: %q: %v", r.ID, r.Example, err)
		}
		wordings[at]++
	}
	for rule, all := range sums {
		for _, w := range all {
			if wordings[rule+": "+w.words] == 0 {
				t.Errorf("no finding of %s is worded %q by now", rule, w.words)
			}
		}
	}
}

// A sum that is off by more than its rounding is noticed.
func TestWrongSumsAreNoticed(t *testing.T) {
	for _, c := range []struct{ rule, arithmetic string }{
		{"little", "3,244 IOPS x 19.7 ms = 64.0 in flight against 16 x 1 = 16: 4.10 x"},
		{"little", "3,244 IOPS x 19.7 ms = 65.0 in flight against 16 x 1 = 16: 4.06 x"},
		{"little", "3,244 IOPS x 19.7 µs = 64.0 in flight against 16 x 1 = 16: 4.00 x"},
		{"pct-support", "p99.9 needs 299 operations; a repeat had 200"},
		{"pct-support", "p99 needs 299 operations; a repeat had 310"},
		{"pcie-ceiling", "8,031 MB/s against 8 GT/s x 4 x 128/130 / 8 = 31,508 MB/s: 0.255 x"},
		{"nic-slot", "ports 25.0 Gb/s against 5 GT/s x 4 x 8/10 = 16.0 Gb/s: 1.56 x"},
		{"cov", "23.8 / 137 = 19.4 % over 119 samples of half a second"},
		{"too-short", "ran 12.0 s against 1 s"},
		{"bimodal", "p30 = 359 µs, p40 = 660 µs: 1.48 x"},
		{"ceph-ceiling", "9,613 MB/s against 12 drives x 3,500 MB/s = 42,000 MB/s; mesh 6 x 12,376 MB/s / .667 = 111,380 MB/s; 48 x 4 MiB / 5.00 ms = 40,265 MB/s: 22.9 % of the least"},
		{"little", "it was rather much"},
		{"no-such-rule", "1 + 1 = 2"},
	} {
		if _, err := addsUp(c.rule, c.arithmetic); err == nil {
			t.Errorf("%s: %q is taken to be right", c.rule, c.arithmetic)
		}
	}
}

// remarks matches what several rules add after the arithmetic.
var remarks = regexp.MustCompile(`,? in the only repeat$|,? in \d+ of \d+ repeats$| \((?:the worst of|number of jobs|tau unknown|cache size|known of|median|intel_pstate)[^)]*\)$`)

// addsUp recomputes a rule's arithmetic and returns its wording.
func addsUp(rule, arithmetic string) (at string, err error) {
	for _, w := range sums[rule] {
		found := w.pattern().FindStringSubmatch(remarks.ReplaceAllString(arithmetic, ""))
		if found == nil {
			continue
		}
		return rule + ": " + w.words, w.check(found[1:])
	}
	return "", errors.New("this test knows no such wording, and cannot recompute it")
}

// quantity matches a number and its unit.
const quantity = `[-+±]? ?[\d.,]*\d(?:e-?\d+)?(?: ?(?:%|[kKMGT]?i?B/s|[kKMGT]?i?B|[kMG]b/s|[GM]T/s|[nµm]?s|h|IOPS))?`

func (w wording) pattern() *regexp.Regexp {
	p := regexp.QuoteMeta(w.words)
	p = strings.NewReplacer("#", `(`+quantity+`)`, "~", `([^;=]+?)`, `\*\*`, `.*?`, `\*`, `[^;=#]*?`).Replace(p)
	return regexp.MustCompile("^" + p + "$")
}

func (w wording) check(found []string) error {
	relations := slices.Clone(w.holds)
	// A ~ always forms an equation with what follows.
	n := 0
	for _, r := range w.words {
		switch r {
		case '~':
			n++
			relations = append(relations, fmt.Sprintf("$%d = $%d", n, n+1))
		case '#':
			n++
		}
	}
	for _, relation := range relations {
		for i := len(found); i > 0; i-- {
			relation = strings.ReplaceAll(relation, "$"+strconv.Itoa(i), "("+found[i-1]+")")
		}
		if err := holds(relation); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether "a = b" or "a < b" can be true of the printed numbers.
func holds(relation string) error {
	for _, sign := range []string{" = ", " < "} {
		left, right, ok := strings.Cut(relation, sign)
		if !ok {
			continue
		}
		a, err := evaluate(left)
		if err != nil {
			return err
		}
		b, err := evaluate(right)
		if err != nil {
			return err
		}
		if a.low > b.high || sign == " = " && a.high < b.low {
			return fmt.Errorf("%s does not hold: %.6g to %.6g against %.6g to %.6g", relation, a.low, a.high, b.low, b.high)
		}
		return nil
	}
	return fmt.Errorf("%q is no relation", relation)
}

// between is the range that a printed number may have had before rounding.
type between struct{ low, high float64 }

// units used in the wordings, in bytes and seconds. A lane carries one bit per
// transfer, which the sums divide by 8 themselves.
var units = map[string]float64{
	"%": .01, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "h": 3600, "IOPS": 1, "GT/s": 1e9, "MT/s": 1e6,
	"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "KiB/s": 1 << 10, "MiB/s": 1 << 20, "GiB/s": 1 << 30,
	"kb/s": 1e3 / 8, "Mb/s": 1e6 / 8, "Gb/s": 1e9 / 8,
}

// lexemes of a sum: numbers, words, signs.
var lexemes = regexp.MustCompile(`\.?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?|[\pL%][\pL\d%]*(?:/s\b)?|[-+/(),]`)

// evaluate computes a sum of printed numbers. Words that are neither units nor
// signs, such as "drives", say what is counted.
func evaluate(text string) (between, error) {
	s := sum{words: lexemes.FindAllString(text, -1)}
	v, err := s.terms()
	if err == nil && len(s.words) > 0 {
		err = fmt.Errorf("%q: cannot go on at %q", text, s.words[0])
	}
	return v, err
}

type sum struct{ words []string }

// next returns the first remaining sign, number or function, dropping other
// words.
func (s *sum) next() string {
	for len(s.words) > 0 {
		w := s.words[0]
		if isNumber(w) || slices.Contains([]string{"x", "+", "-", "/", "(", ")", ",", "sqrt", "least", "needs"}, w) {
			return w
		}
		s.words = s.words[1:]
	}
	return ""
}

func isNumber(word string) bool { return strings.ContainsAny(word[:1], ".0123456789") }

func (s *sum) terms() (between, error) {
	v, err := s.factors()
	for err == nil && (s.next() == "+" || s.next() == "-") {
		sign := s.take()
		var w between
		if w, err = s.factors(); sign == "-" {
			w.low, w.high = -w.high, -w.low
		}
		v = between{v.low + w.low, v.high + w.high}
	}
	return v, err
}

func (s *sum) factors() (between, error) {
	v, err := s.operand()
	for err == nil && (s.next() == "x" || s.next() == "/") {
		sign := s.take()
		var w between
		if w, err = s.operand(); sign == "/" {
			w.low, w.high = 1/w.high, 1/w.low
		}
		all := []float64{v.low * w.low, v.low * w.high, v.high * w.low, v.high * w.high}
		v = between{slices.Min(all), slices.Max(all)}
	}
	return v, err
}

func (s *sum) operand() (between, error) {
	switch w := s.next(); {
	case w == "+":
		s.take()
		return s.operand()
	case w == "-":
		s.take()
		v, err := s.operand()
		return between{-v.high, -v.low}, err
	case w == "sqrt":
		s.take()
		v, err := s.operand()
		return between{math.Sqrt(v.low), math.Sqrt(v.high)}, err
	case w == "needs":
		s.take()
		v, err := s.operand()
		n := math.Ceil(math.Log(.05) / math.Log((v.low+v.high)/2/100))
		return between{n, n}, err
	case w == "least":
		s.take()
		v := between{math.Inf(1), math.Inf(1)}
		for s.words[0] != ")" {
			s.take() // the parenthesis, or a comma
			w, err := s.terms()
			if err != nil {
				return v, err
			}
			v = between{min(v.low, w.low), min(v.high, w.high)}
		}
		s.take()
		return v, nil
	case w == "(":
		s.take()
		v, err := s.terms()
		if err == nil && s.take() != ")" {
			err = errors.New("a parenthesis is open")
		}
		return s.inUnit(v), err
	case w != "" && isNumber(w):
		s.take()
		v, err := printed(w)
		return s.inUnit(v), err
	default:
		return between{}, fmt.Errorf("a number is missing before %q", w)
	}
}

// inUnit applies the unit after a number or a parenthesis.
func (s *sum) inUnit(v between) between {
	if len(s.words) == 0 || units[s.words[0]] == 0 {
		return v
	}
	u := units[s.take()]
	return between{v.low * u, v.high * u}
}

func (s *sum) take() string {
	w := s.words[0]
	s.words = s.words[1:]
	return w
}

// printed returns the range that a printed number may stand for: counts below
// 100 are exact, all others rounded to their last digit.
func printed(word string) (between, error) {
	digits := strings.ReplaceAll(word, ",", "")
	v, err := strconv.ParseFloat(digits, 64)
	mantissa, power, _ := strings.Cut(digits, "e")
	_, decimals, fraction := strings.Cut(mantissa, ".")
	if !fraction && v < 100 {
		return between{v, v}, err
	}
	exponent, _ := strconv.Atoi(power)
	half := .5 * math.Pow10(exponent-len(decimals))
	// A half may have been rounded either way.
	half *= 1 + 1e-9
	return between{v - half, v + half}, err
}
