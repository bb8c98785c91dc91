package jobfile

import (
	"strconv"
	"strings"
	"time"
)

// readSize reads a number of bytes as fio does, or more: fio takes k and KB as 1024 and
// KiB as 1000; KiB is read as 1024 here, since that much space is enough for both.
func readSize(v string) (int64, bool) {
	v = strings.ToLower(v)
	v = strings.TrimSuffix(v, "b")
	v = strings.TrimSuffix(v, "i")
	unit := int64(1)
	if v != "" {
		if i := strings.IndexByte("kmgtp", v[len(v)-1]); i >= 0 {
			unit, v = 1<<(10*(i+1)), v[:len(v)-1]
		}
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > mostBytes/unit {
		return 0, false
	}
	return n * unit, true
}

// readSpan reads a duration as fio does; a bare number is in seconds.
func readSpan(v string) (time.Duration, bool) {
	v = strings.ToLower(v)
	unit := time.Second
	for _, u := range []struct {
		word string
		unit time.Duration
	}{{"us", time.Microsecond}, {"ms", time.Millisecond}, {"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}, {"d", 24 * time.Hour}} {
		if digits, is := strings.CutSuffix(v, u.word); is {
			unit, v = u.unit, digits
			break
		}
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > int64(365*24*time.Hour/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
