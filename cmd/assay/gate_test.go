package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assay"
	"assay/store"
)

// TestGateScripts runs testdata/gate/*.txtar with the commands of the comparisons
// and
//
//	broken NAME [WORD…] [failed=CASE] [broke=CASE:N] [without=CASE]
//
// which stores a run like stored, but with a failed case, a case with N failed
// repeats, or without a case.
func TestGateScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/gate",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return sandbox(env, "") },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits, "plain": cmdPlain, "json": cmdJSON, "stored": cmdStored, "broken": cmdBroken,
		},
	})
}

func cmdBroken(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: broken NAME [WORD…]")
	}
	run, err := brokenRun(args[0], args[1:])
	ts.Check(err)
	st, err := store.Open(context.Background(), ts.Getenv("ASSAY_DB"))
	ts.Check(err)
	defer st.Close()
	ts.Check(st.Import(context.Background(), run))
}

func brokenRun(id string, words []string) (assay.Run, error) {
	var plain []string
	broke, without := map[string]int{}, map[string]bool{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "failed":
			broke[value] = 1 << 10
		case "broke":
			name, n, _ := strings.Cut(value, ":")
			count, err := strconv.Atoi(n)
			if err != nil {
				return assay.Run{}, fmt.Errorf("%q is not broke=CASE:N", w)
			}
			broke[name] = count
		case "without":
			without[value] = true
		default:
			plain = append(plain, w)
		}
	}
	run, err := storedRun(id, plain)
	run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool { return without[r.Trial.Case] })
	for _, r := range run.Results {
		for i := range r.Repeats[:min(broke[r.Trial.Case], len(r.Repeats))] {
			r.Repeats[i].Outcome, r.Repeats[i].Error, r.Repeats[i].Measurements = assay.Broke, "fio: exit status 1: I/O error", nil
		}
	}
	return run, err
}
