package procmark

import "testing"

func TestCheck(t *testing.T) {
	for mark, ok := range map[string]bool{"": true, "20261121-200512-abcdef": true, "a b": true, "a\nb": false, "a\x00": false, "\n": false} {
		if err := Check(mark); (err == nil) != ok {
			t.Errorf("%q: %v", mark, err)
		}
	}
}
