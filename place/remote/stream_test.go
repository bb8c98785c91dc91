package remote

import (
	"strings"
	"testing"
)

// However the bytes arrive, what stands between the lines is the output.
func TestStreamAtEveryCut(t *testing.T) {
	const key = "0123456789abcdef"
	text := "Welcome " + HelloLine + "noise\n" + key + " fed\n" + key + " begin\n" +
		"out " + key + " but not the end\n" + key + " end status=7\n" + "goodbye"
	for cut := range len(text) {
		s := NewStream(key)
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
	s := NewStream("k")
	_, _ = s.Write([]byte("k begin\nhalf an answ"))
	if Closed(s.ended) || string(s.Output()) != "half an answ" {
		t.Errorf("output %q", s.Output())
	}
}

func TestStreamOfNoise(t *testing.T) {
	s := NewStream("k")
	for range 100 {
		_, _ = s.Write([]byte(strings.Repeat("welcome\n", 1<<12)))
	}
	if !Closed(s.Excess) || len(s.Words()) > 2*NoiseLimit {
		t.Errorf("%d bytes of noise kept", len(s.Words()))
	}
}
