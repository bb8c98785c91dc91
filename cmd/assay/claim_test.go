package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/oneline/hostile"
	"assay/store"
)

// The holder of a host comes from a foreign database: none of it is printed raw.
func TestWhoHoldsAHostIsPrintable(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "assay.db")
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	alive := func(store.Owner) bool { return true }
	if err := st.Claim(t.Context(), "alpha", store.Owner{Run: hostile.Text, PID: 7, Start: hostile.Text, Boot: hostile.Text}, alive); err != nil {
		t.Fatal(err)
	}
	err = st.Claim(t.Context(), "alpha", store.Owner{Run: "mine", PID: 8}, alive)
	if err == nil {
		t.Fatal("taken over")
	}
	var stdout, stderr bytes.Buffer
	a := newApp(strings.NewReader(""), &stdout, &stderr)
	a.stderr.complain(err)
	if err := a.stderr.event(map[string]any{"error": err.Error()}); err != nil {
		t.Fatal(err)
	}
	heard(t, "claim", formatText, stderr.String())
}
