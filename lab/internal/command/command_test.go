package command_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/internal/command"
)

func TestOutput(t *testing.T) {
	out, err := command.Output(t.Context(), "words\n", "sh", "-c", "cat; echo no >&2; exit 3")
	if out != "words\n" || err == nil || !strings.Contains(err.Error(), "exit status 3: no") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestChildrenEndToo checks that a child that keeps the output open is not
// waited for.
func TestChildrenEndToo(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := command.Output(ctx, "", "sh", "-c", "sleep 1000 & sleep 1000"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	if err := command.Missing("a lab", []command.Needed{{Program: "sh", Package: "dash"}, {Program: "/bin/sh", Package: "dash"}}); err != nil {
		t.Error(err)
	}
	err := command.Missing("a lab", []command.Needed{{Program: "sh", Package: "dash"}, {Program: "no-such", Package: "such"}, {Program: "/no/such", Package: "path"}})
	if err == nil || !strings.Contains(err.Error(), "no-such, /no/such") || !strings.HasSuffix(assay.Hint(err), "such path") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}
