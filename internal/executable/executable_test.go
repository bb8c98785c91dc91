package executable

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

func TestStartsWhileOthersAreForked(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	var others sync.WaitGroup
	for range 8 {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_ = exec.Command("/bin/true").Run()
				}
			}
		})
	}
	for n := range 200 {
		path := filepath.Join(dir, fmt.Sprint(n))
		if err := Write(path, "#!/bin/sh\n"); err != nil {
			t.Error(err)
		} else if err := exec.Command(path).Run(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	others.Wait()
}
