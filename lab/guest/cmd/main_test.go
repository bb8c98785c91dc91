package main

import (
	"testing"

	"assay/lab/internal/verbs/verbstest"
)

func TestWordsThatAreNone(t *testing.T) {
	verbstest.ExpectRefused(t, run, [][]string{{}, {"upp"}, {"up", "more"}, {"missing", "more"}, {"-n", "2", "up"}})
}
