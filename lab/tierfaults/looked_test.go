package tierfaults

import (
	"slices"
	"strings"
	"testing"

	"assay/lab/internal/laptop"
	"assay/lab/kube"
	"assay/plan"
)

// lookedAt checks that plan and doctor say what a run would do and need, and
// create nothing.
func lookedAt(t *testing.T, b *bed) {
	l := b.laptop(t, "  sd: {nodes: [node1, node2], hostpath: /srv/bench}\n", "  claim: {node: node2, pvc: {size: 1Gi}}\n",
		"  nas: {host: off, directory: /srv}\n", "hosts: {off: {address: 127.0.0.1, port: 1}}\n") // a run continues without it
	said := l.Do("plan", "-i", l.File, "--suite", "tiers", "--only", "tcp-1,rtt,"+reads, "--format", "json")
	var planned []string
	for _, trial := range laptop.Read[plan.Plan](t, said).Trials {
		if trial.Absent != nil {
			t.Errorf("%s is absent: %+v", trial.ID, trial.Absent)
		}
		planned = append(planned, trial.ID)
	}
	for _, want := range []string{"iperf3/rtt@sd@node1/link/pods:sd@node2", "iperf3/tcp-1@sd@node2/link/pods:sd@node1", "fio/" + reads + "@claim/directory//mnt/claim"} {
		if !slices.Contains(planned, want) {
			t.Errorf("%s is not in the plan:\n%s", want, strings.Join(planned, "\n"))
		}
	}
	if text := l.Do("plan", "-i", l.File, "--suite", "tiers"); strings.Contains(text.Stdout, "address=") {
		t.Errorf("it knows addresses of pods that are not there:\n%s", text.Stdout)
	}
	r := l.Do("doctor", "-i", l.File, "--host", "sd,claim")
	if r.Exit != fine || !strings.Contains(strings.Join(strings.Fields(r.Stdout), " "), "claim rights, node node2, a default storage class") {
		t.Errorf("the doctor ended with %d and said\n%s%s", r.Exit, r.Stdout, r.Said)
	}
	const mark = "storageclass.kubernetes.io/is-default-class"
	b.kubectl(t, "annotate", "sc", kube.ClassDelete, mark+"=false", "--overwrite")
	defer b.kubectl(t, "annotate", "sc", kube.ClassDelete, mark+"=true", "--overwrite")
	for _, verb := range [][]string{{"doctor"}, {"plan", "--suite", "tiers"}} {
		r := l.Do(append(verb, "-i", l.File, "--host", "claim")...)
		if r.Exit != failed {
			t.Errorf("%s without a default class ended with %d", verb, r.Exit)
		}
		expectSaid(t, r, "no default storage class", "hint: set class: to one of")
	}
	l.ExpectEmpty()
}
