package audit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// needNoFact are the rules that compare figures within one output or one
// comparison: if one is absent, there is nothing to compare, and no fact is
// missing.
var needNoFact = map[string]bool{
	"rados-consistency": true, "agg-moments": true, "coordinated-omission": true, "clock-skew": true, "unlike": true, "ratio-restated": true,
	"tool-limits": true,
	"stall":       true, "skewed": true, "samples-total": true, "rate-limited": true, "link-below": true, "redundancy": true, "other-command": true,
	"overloaded": true, "submission-bound": true, "piecemeal": true, "unfair": true, "jobs-missing": true, "copied": true, "below-any": true, "depth-idle": true, "drifts": true, "repeats-apart": true, "mac-disk": true,
	"interrupted": true, "tool-bug": true, "beyond-any": true,
}

// Every rule has a test of each kind: one in which it fires, one in which it is
// silent, and one in which it reports a missing fact. The cases are those of the
// tables passed to check and checkForeign.
func TestEveryRuleHasEachKindOfTest(t *testing.T) {
	kinds := map[string]map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		names := constants(file)
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || lit.Type != nil || len(lit.Elts) != 5 {
				return true
			}
			rule, want := text(lit.Elts[0], names), text(lit.Elts[3], names)
			if kinds[rule] == nil {
				kinds[rule] = map[string]bool{}
			}
			switch want {
			case "":
				kinds[rule]["silent"] = true
			case "-":
				kinds[rule]["missing fact"] = true
			default:
				kinds[rule]["speaks"] = true
			}
			return true
		})
	}
	for _, r := range Rules() {
		for _, kind := range []string{"speaks", "silent", "missing fact"} {
			if !kinds[r.ID][kind] && (kind != "missing fact" || !needNoFact[r.ID]) {
				t.Errorf("%s: no test of the kind %q", r.ID, kind)
			}
		}
		if needNoFact[r.ID] && kinds[r.ID]["missing fact"] {
			t.Errorf("%s is tested for a missing fact: strike it from needNoFact", r.ID)
		}
	}
}

// constants returns the string constants of a file, in any of its functions, with all values
// of each name.
func constants(file *ast.File) map[string][]*ast.BasicLit {
	found := map[string][]*ast.BasicLit{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != len(spec.Names) {
			return true
		}
		for i, name := range spec.Names {
			if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				found[name.Name] = append(found[name.Name], lit)
			}
		}
		return true
	})
	return found
}

// text returns a literal string or the value of a constant: the last one of
// that name before its use.
func text(e ast.Expr, names map[string][]*ast.BasicLit) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			return ""
		}
		return s
	case *ast.Ident:
		all := names[e.Name]
		i := slices.IndexFunc(all, func(lit *ast.BasicLit) bool { return lit.Pos() > e.Pos() })
		if i < 0 {
			i = len(all)
		}
		if i > 0 {
			return text(all[i-1], nil)
		}
	}
	return ""
}
