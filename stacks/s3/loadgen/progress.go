package loadgen

import "time"

// Tell makes Run report each second's work: at is when the second ended, in
// seconds from the start.
func (c *Client) Tell(tell func(at int, done Second)) { c.tell = tell }

// telling reports each second's work until stop is closed.
func (rs *recorders) telling(tell func(int, Second), stop <-chan struct{}) {
	for at := 1; ; at++ {
		timer := time.NewTimer(time.Until(rs.began.Add(time.Duration(at) * time.Second)))
		select {
		case <-stop:
			timer.Stop()
			return
		case <-timer.C:
			tell(at, rs.second(at-1))
		}
	}
}

// second sums all operations in one second of the run.
func (rs *recorders) second(n int) Second {
	var sum Second
	for _, op := range Ops {
		for _, r := range rs.all[op] {
			r.mu.Lock()
			if n < len(r.seconds) {
				sum.Ops += r.seconds[n].Ops
				sum.Bytes += r.seconds[n].Bytes
			}
			r.mu.Unlock()
		}
	}
	return sum
}
