package local

import (
	"errors"
	"strings"
	"testing"

	"assay"
)

func TestHold(t *testing.T) {
	const name = "@assay-test-hold" // a real run may be going on here
	release, err := hold(name, "run one of user root")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold(name, "run two"); !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "run one of user root") {
		t.Errorf("held twice: %v", err)
	}
	release()
	release()
	again, err := hold(name, "run three")
	if err != nil {
		t.Fatalf("not held any more, and it says %v", err)
	}
	again()
}
