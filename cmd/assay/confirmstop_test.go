package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"assay/run/session"
)

// The prompt names what is about to be stopped, and only its host's name, typed on a
// terminal, confirms it.
func TestStoppingIsConfirmedByItsHost(t *testing.T) {
	what := session.Stopping{
		Name: "vip", Host: "lb1", What: "keepalived", By: "lb1", AtMost: 2 * time.Minute,
		Stop: "systemctl stop 'keepalived'", Start: "systemctl start 'keepalived'",
		Command: "curl -sf http://10.0.0.9/", Observers: []string{"web1", "web2"}, Failback: "ip vrrp failback", Load: "ping 10.0.0.9", Loader: "web2",
	}
	for answer, want := range map[string]bool{"lb1\n": true, "y\n": false, "yes\n": false, "\n": false, "lb2\n": false, "vip\n": false} {
		keyboard, screen := terminalPair(t)
		if _, err := keyboard.WriteString(answer); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		if got := newApp(screen, &bytes.Buffer{}, &said).confirmStop(t.Context(), what); got != want {
			t.Errorf("the answer %q: %t", answer, got)
		}
		for _, s := range []string{"vip", "keepalived will be stopped on lb1", "systemctl stop 'keepalived'", "systemctl start 'keepalived'", "within 2m0s", "on web1 and web2, again and again: curl -sf http://10.0.0.9/", "before and after each stop, on web1: ip vrrp failback", "as a load, on web2: ping 10.0.0.9", "type lb1 to confirm"} {
			if !strings.Contains(said.String(), s) {
				t.Errorf("it does not say %q: %s", s, said.String())
			}
		}
	}
	if newApp(strings.NewReader("lb1\n"), &bytes.Buffer{}, &bytes.Buffer{}).confirmStop(t.Context(), what) {
		t.Error("confirmed by what is no terminal")
	}
}
