package kube

import "time"

// Hurry makes p less patient.
func (p *Place) Hurry() {
	p.times.begin, p.times.reconnect, p.times.dial = 90*time.Second, 40*time.Second, 4*time.Second
	p.times.forget, p.times.beat = time.Second, time.Second
}
