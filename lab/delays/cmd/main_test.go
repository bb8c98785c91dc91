package main

import (
	"testing"

	"assay/lab/internal/verbs/verbstest"
)

func TestWordsThatAreNone(t *testing.T) {
	verbstest.ExpectRefused(t, run, [][]string{{"up"}, {"-rounds", "-1"}, {"-repeats", "0"}, {"-no-such"}, {"-delays", "0"}, {"-delays", "1,x"}})
}
