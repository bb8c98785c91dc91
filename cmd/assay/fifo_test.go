package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A FIFO without a writer is reported, and is read once it has one.
func TestAFIFOWithoutAWriterSaysSo(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	heard, said := io.Pipe()
	got := make(chan string, 1)
	go func() {
		f, err := newApp(nil, io.Discard, said).openInput(name)
		if err != nil {
			got <- err.Error()
			return
		}
		defer f.Close()
		text, _ := io.ReadAll(f)
		got <- string(text)
	}()
	line, err := bufio.NewReader(heard).ReadString('\n')
	if err != nil || !strings.Contains(line, "waiting for a program that writes to "+name) {
		t.Fatalf("says %q, %v", line, err)
	}
	if err := os.WriteFile(name, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "text\n" {
		t.Errorf("reads %q", text)
	}
}
