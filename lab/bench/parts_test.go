package main

import (
	"strings"
	"testing"

	"assay"
)

func TestChosen(t *testing.T) {
	all, err := chosen("")
	if err != nil || len(all) != len(parts()) {
		t.Errorf("%d parts, %v", len(all), err)
	}
	some, err := chosen("memory,fio")
	if err != nil || len(some) != 2 || some[0].name != "fio" || some[1].name != "memory" {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := chosen("memory,fact"); err == nil || !strings.Contains(err.Error(), `"fact"`) || !strings.Contains(assay.Hint(err), "facts") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}
