package quantity

import "testing"

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
		fine  bool
	}{
		{[]string{"waited for 95.3 % of the time", "waited for 97.1 % of the time", "waited for 95.8 % of the time"}, "waited for 95.3 to 97.1 % of the time", true},
		{[]string{"6 x 1.01 s = 6.04 s against 30.0 s", "6 x 1.00 s = 6.03 s against 30.0 s"}, "6 x 1.00 to 1.01 s = 6.03 to 6.04 s against 30.0 s", true},
		{[]string{"12,000 of 9", "1,500 of 9"}, "1,500 to 12,000 of 9", true},
		{[]string{"the same 5", "the same 5"}, "the same 5", true},
		{[]string{"1,294 / 19,107 = 6.77 %", "2,145 / 18,582 = 11.5 %"}, "", false}, // nobody can follow that
		{[]string{"nvme0n1 has 5", "nvme1n1 has 5"}, "", false},                     // another drive is not a range
		{[]string{"on 10.0.0.1", "on 10.0.0.2"}, "", false},
		{[]string{"5 s", "5 ms"}, "", false},
		{[]string{"5 s", "5 s more"}, "", false},
		{nil, "", false},
	} {
		if got, fine := Ranges(c.texts); fine != c.fine || fine && got != c.want {
			t.Errorf("%q: %q, %v, want %q, %v", c.texts, got, fine, c.want, c.fine)
		}
	}
}
