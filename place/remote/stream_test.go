package remote

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"assay"
)

// However the bytes arrive, the output is what lies between the lines.
func TestStreamAtEveryCut(t *testing.T) {
	const key = "0123456789abcdef"
	text := "Welcome " + HelloLine + "noise\n" + key + " fed\n" + key + " begin\n" +
		"out " + key + " but not the end\n" + key + " end status=7\n" + "goodbye"
	for cut := range len(text) {
		s := NewStream(key, assay.OutputLimit)
		for _, part := range []string{text[:cut], text[cut:]} {
			if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("wrote %d of %d, %v", n, len(part), err)
			}
		}
		if !Closed(s.Hello) || !Closed(s.eaten) || !Closed(s.begun) || !Closed(s.ended) || Closed(s.Excess) {
			t.Fatalf("cut at %d: a line was not seen", cut)
		}
		if got := string(s.Output()); got != "out "+key+" but not the end\n" {
			t.Fatalf("cut at %d: output %q", cut, got)
		}
		if s.last() != "status=7" {
			t.Fatalf("cut at %d: last line %q", cut, s.last())
		}
	}
}

func TestStreamWithoutAnEnd(t *testing.T) {
	s := NewStream("k", assay.OutputLimit)
	_, _ = s.Write([]byte("k begin\nhalf an answ"))
	if Closed(s.ended) || string(s.Output()) != "half an answ" {
		t.Errorf("output %q", s.Output())
	}
}

func TestStreamOfNoise(t *testing.T) {
	s := NewStream("k", assay.OutputLimit)
	for range 100 {
		_, _ = s.Write([]byte(strings.Repeat("welcome\n", 1<<12)))
	}
	if !Closed(s.Excess) || len(s.Words()) > 2*NoiseLimit {
		t.Errorf("%d bytes of noise kept", len(s.Words()))
	}
}

// Output byte by byte, or in an endless line, does not cause earlier bytes to be scanned
// again each time.
func TestStreamByteByByte(t *testing.T) {
	const bound = 2 * time.Minute // many times what is needed
	began := time.Now()
	s := NewStream("key", assay.OutputLimit)
	for _, b := range []byte(strings.Repeat("x", NoiseLimit-100) + "key begin\n") {
		_, _ = s.Write([]byte{b})
	}
	if !Closed(s.begun) {
		t.Error("the begin was not seen")
	}
	lines := 0
	s.attend(func(piece []byte) bool { lines += bytes.Count(piece, []byte("\n")); return false })
	for range 2 {
		for range 1 << 20 {
			_, _ = s.Write([]byte("yyyy"))
			if time.Since(began) > bound {
				t.Fatalf("%d bytes took more than %s", len(s.Output()), bound)
			}
		}
		_, _ = s.Write([]byte("\n"))
	}
	if lines != 2 {
		t.Errorf("shown %d lines", lines)
	}
}

// A command that prints more than it may is cut off there, and no more is held.
func TestStreamOfTooMuch(t *testing.T) {
	for name, ends := range map[string]string{"with an end": "k end status=0 fired= cpu=\n", "without": strings.Repeat("x", tailLimit)} {
		s := NewStream("k", 1000)
		_, _ = s.Write([]byte("k begin\n" + strings.Repeat("x", 1001) + ends))
		_, _ = s.Write([]byte("more"))
		if !Closed(s.Excess) || len(s.Output()) != 1000 {
			t.Errorf("%s: %d bytes kept", name, len(s.Output()))
		}
	}
}
