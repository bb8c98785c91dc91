package ingest_test

import (
	"errors"
	"strings"
	"testing"

	"assay"
	"assay/ingest"
	"assay/ingest/readers"
)

// Output that is recognised but unreadable is named by its place, with its
// hint.
func TestOnlyUnread(t *testing.T) {
	text := "the drive of node 3\n\nsmartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\nSmartctl open device: /dev/sda failed: Permission denied\n"
	var r ingest.Reading
	err := r.Read("notes.txt", strings.NewReader(text), readers.All())
	var unread ingest.UnreadError
	if !errors.As(err, &unread) {
		t.Fatalf("got %v, want an UnreadError", err)
	}
	if unread.File != "notes.txt" || unread.Line != 3 || len(r.Unread) != 1 || unread.Unread != r.Unread[0] {
		t.Errorf("unread is %+v, the reading has %+v", unread.Unread, r.Unread)
	}
	if !strings.HasPrefix(err.Error(), "notes.txt:3: ") || assay.Hint(err) == "" {
		t.Errorf("the error is %q, its hint %q", err, assay.Hint(err))
	}
	if err := r.Read("notes.txt", strings.NewReader("nothing here\n"), readers.All()); !errors.Is(err, ingest.ErrNothing) {
		t.Errorf("got %v, want %v", err, ingest.ErrNothing)
	}
}
