package drbd

import (
	"context"
	"testing"

	"assay"
)

// routed is a host whose routes lead over these interfaces, by address.
type routed struct {
	assay.Place
	over map[string]string
}

func (r routed) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	to := c.Argv[len(c.Argv)-1]
	if r.over[to] == "" {
		return assay.Output{Exit: 2}, nil
	}
	return assay.Output{Stdout: []byte(to + " dev " + r.over[to] + " src 10.0.0.1 uid 0\n")}, nil
}

func (routed) Host() assay.Host { return assay.Host{Name: "a"} }

// In a routed mesh, each copy leaves through a port of its own: none of them carries all.
func TestSharedIsOneInterfaceForAllPaths(t *testing.T) {
	b, c := Path{Here: "10.0.0.1", There: "10.0.0.2"}, Path{Here: "10.0.0.1", There: "10.0.0.3"}
	for _, one := range []struct {
		over  map[string]string
		paths []Path
		want  string
	}{
		{map[string]string{b.There: "eno1", c.There: "eno1"}, []Path{b, c}, "eno1"},
		{map[string]string{b.There: "eno1", c.There: "eno2"}, []Path{b, c}, ""},
		{map[string]string{b.There: "eno1"}, []Path{b, c}, ""},
		{map[string]string{b.There: "eno1"}, []Path{b}, "eno1"},
		{nil, nil, ""},
	} {
		if got := Shared(t.Context(), routed{over: one.over}, one.paths); got != one.want {
			t.Errorf("%v over %v: %q, want %q", one.paths, one.over, got, one.want)
		}
	}
}
