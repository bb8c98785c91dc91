package interrupts_test

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	"assay/internal/interrupts"
)

func TestMain(m *testing.M) {
	if os.Getenv("CHILD") == "" {
		os.Exit(m.Run())
	}
	interrupts.Reach()
	out, err := exec.Command("sh", "-c", "kill -INT $$; echo ignored").Output()
	os.Stdout.Write(out)
	if err != nil {
		os.Stdout.WriteString(err.Error())
	}
}

// SIGINT ends a child of a program that ignores it.
func TestReach(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sh", "-c", `trap '' INT; exec "$0"`, self)
	child.Env = append(os.Environ(), "CHILD=yes")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "interrupt") || strings.Contains(string(out), "ignored") {
		t.Errorf("%v: %s", err, out)
	}
	if signal.Ignored(os.Interrupt) {
		t.Log("the tests themselves ignore SIGINT")
	}
}
