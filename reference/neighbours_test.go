package reference

import "testing"

// Values between the drives of Proxmox's paper.
func TestNeighbours(t *testing.T) {
	paper := Settings{Pattern: "write", Block: 4096, InFlight: 1, Flush: "each", Direct: "1", On: "device"}
	name := func(f *Figure) string {
		if f == nil {
			return ""
		}
		return f.What
	}
	for value, want := range map[float64][3]string{
		15e3:   {"Intel S3510", "Samsung SM863", "Samsung SM863"},
		14e3:   {"Intel S3510", "Samsung SM863", "Intel S3510"},
		30e3:   {"Samsung SM863", "Micron 9300", ""},
		345:    {"Samsung 850 EVO 1 TB", "Intel S3500", "Samsung 850 EVO 1 TB"},
		2000:   {"Samsung 850 EVO 1 TB", "Intel S3500", ""},
		30:     {"", "Seagate Constellation.2", ""},
		200000: {"Intel Optane P4800X", "", ""},
	} {
		n := NeighboursOf("storage.write.iops", value, paper)
		if got := [3]string{name(n.Below), name(n.Above), name(n.Like)}; got != want {
			t.Errorf("%v: got %q, want %q", value, got, want)
		}
	}
	onFile := paper
	onFile.On = "file"
	if n := NeighboursOf("storage.write.iops", 15e3, onFile); n != (Neighbours{}) {
		t.Errorf("a file is placed beside %+v", n)
	}
}
