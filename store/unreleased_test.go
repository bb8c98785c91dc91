package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

// A database of a build between two releases has a schema's number but lacks some of
// its columns. The error says so in plain words, not in SQL.
func TestASchemaThatLacksAColumn(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "assay.db")
	s := reopen(t, path)
	_, err := s.writer.Exec(`ALTER TABLE run DROP COLUMN imported`)
	must(t, err)
	must(t, s.Close())
	s, err = Open(ctx, path)
	if err == nil {
		defer s.Close()
		_, err = s.Runs(ctx)
	}
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "imported") || strings.Contains(err.Error(), "SQL") || !strings.Contains(assay.Hint(err), "unreleased") {
		t.Errorf("%v (hint %q)", err, assay.Hint(err))
	}
}
