package kube

import "time"

// Waiter is the script of the first process.
var Waiter = waiterScript

// Hurry makes p less patient.
func (p *Place) Hurry() {
	p.times.begin, p.times.reconnect, p.times.dial = 90*time.Second, 40*time.Second, 4*time.Second
	// Kubernetes forgets a Job soon, but not before it has been asked why it ended.
	p.times.forget, p.times.beat = 10*time.Second, time.Second
}
