package blame_test

import (
	"strings"
	"testing"

	"assay/incident"
	"assay/incident/blame"
	"assay/incident/read"
)

// on is what one host says.
type on struct{ host, text string }

func judgeHosts(t *testing.T, all ...on) blame.Verdict {
	t.Helper()
	r := read.New()
	for _, h := range all {
		if err := r.Read(h.host, h.host, strings.NewReader(h.text)); err != nil {
			t.Fatal(err)
		}
	}
	return blame.Judge(r.Log())
}

// A host that ran out of memory had none left, even if a container's limit was reached too.
// Kubernetes calls a container OOMKilled in both cases.
func TestWhoseMemoryRanOut(t *testing.T) {
	const (
		whole = "[9.0] java invoked oom-killer: gfp_mask=0x140cca, order=0, oom_score_adj=0\n[9.1] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/x,task=java,pid=1,uid=0\n" +
			"[9.2] Out of memory: Killed process 1 (java) total-vm:9kB, anon-rss:8kB\n"
		group = "[9.1] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=/x,task_memcg=/x,task=node,pid=2,uid=0\n[9.2] Memory cgroup out of memory: Killed process 2 (node) total-vm:9kB\n"
		pod   = "  Reason:       OOMKilled\n"
		host  = "the host ran out of memory, not a disk fault"
		limit = "a pod or service hit its memory limit, not a disk fault"
	)
	for name, c := range map[string]struct {
		hosts    []on
		at, says string
		others   int
	}{
		"the host":                     {[]on{{"a", whole}}, "a", host, 0},
		"a limit":                      {[]on{{"a", group}}, "a", limit, 0},
		"both":                         {[]on{{"a", group + whole}}, "a", host, 0},
		"a pod on a host that had":     {[]on{{"a", pod + whole}}, "a", host, 0},
		"a pod, told by another":       {[]on{{"a", pod}, {"b", whole}}, "b", host, 0},
		"a pod's word alone":           {[]on{{"a", pod}}, "a", limit, 0},
		"the host and another's limit": {[]on{{"a", whole}, {"b", group}}, "a", host, 1},
	} {
		v := judgeHosts(t, c.hosts...)
		if v.Cause == nil || v.Cause.Layer != incident.OutOfMemory || v.Cause.Host != c.at || v.Cause.Says != c.says || len(v.Others) != c.others {
			t.Errorf("%s: %+v", name, v)
		} else if left := strings.Contains(v.Cause.Why, "had memory left"); left != strings.Contains(name, "a limit") {
			t.Errorf("%s: %s", name, v.Cause.Why)
		}
	}
}
