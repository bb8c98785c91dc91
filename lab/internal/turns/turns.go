package turns

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/lab/internal/wait"
)

// Quick is the environment variable that, if set, skips heavy labs, and all but
// one of tests that are much alike. make test sets it.
const Quick = "ASSAY_QUICK_TESTS"

// patience is how long to wait while the tests of other packages have a lab.
const patience = 40 * time.Minute

// turn is this program's turn, which its tests share: the first that needs a lab
// waits for it, and the last gives it back. One turn covers labs of all kinds,
// otherwise two packages that need two kinds could deadlock.
var turn struct {
	mu      sync.Mutex
	tests   int
	release func()
}

// NotQuick skips t in a quick run. what names the part that takes long.
func NotQuick(t testing.TB, what string) {
	t.Helper()
	if os.Getenv(Quick) != "" {
		t.Skipf("a quick run leaves out %s: make test-lab runs it", what)
	}
}

// Need skips t in a quick run, or if missing returns why there can be no such lab. what
// names the lab.
func Need(t testing.TB, what string, missing func() error) {
	t.Helper()
	NotQuick(t, "the tests with a real "+what)
	if err := missing(); err != nil {
		t.Skipf("%v (%s)", err, assay.Hint(err))
	}
}

// Take skips t as Need does. Otherwise it waits until no other package's tests have a heavy
// lab, and blocks theirs until t ends.
func Take(t testing.TB, what string, missing func() error) {
	t.Helper()
	Need(t, what, missing)
	turn.mu.Lock()
	defer turn.mu.Unlock()
	if turn.tests == 0 {
		release, err := await()
		if err != nil {
			t.Fatal(err)
		}
		turn.release = release
	}
	turn.tests++
	t.Cleanup(give)
}

func give() {
	turn.mu.Lock()
	defer turn.mu.Unlock()
	if turn.tests--; turn.tests == 0 {
		turn.release()
	}
}

// await waits until no other child of the go test that started this program has a
// lab. The lock is an abstract socket, in no file system: the kernel frees it
// when the program that holds it ends.
func await() (release func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var held net.Listener
	last, err := wait.Until(ctx, 50*time.Millisecond, func() (err error) {
		held, err = net.Listen("unix", sign())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the tests of another package do not give their lab back: %w: %w", err, last)
	}
	return func() { _ = held.Close() }, nil
}

func sign() string { return fmt.Sprintf("@assay-lab-%d", os.Getppid()) }
