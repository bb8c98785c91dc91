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

// The SMART report of another drive, or of a drive of the same name on another host,
// confirms nothing and clears nothing.
func TestWhoseReportItIs(t *testing.T) {
	const (
		pending = "smartctl -a /dev/sda\n197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       8\n"
		clean   = "smartctl -a /dev/sdb\n197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       0\n"
		medium  = "NAME TRAN TYPE\nsda  sata disk\n[1.0] sd 0:0:0:0: [sda] tag#3 Sense Key : Medium Error [current]\n[1.1] critical medium error, dev sda, sector 7\n"
		port    = "[1.0] ata3.00: error: { UNC }\n[1.1] I/O error, dev sda, sector 7\n"
		link    = "[1.0] ata3: SError: { UnrecovData 10B8B BadCRC }\n[1.1] ata3: hard resetting link\n[1.2] ata3.00: irq_stat 0x08000000, interface fatal error\n"
	)
	for name, c := range map[string]struct {
		hosts []on
		layer incident.Layer
		how   blame.Sureness
	}{
		"its own":                      {[]on{{"a", medium + pending}}, incident.Drive, blame.Certain},
		"another host's":               {[]on{{"a", medium}, {"b", pending}}, incident.Drive, blame.VeryLikely},
		"its own, pasted beside":       {[]on{{"a", medium}, {"", pending}}, incident.Drive, blame.Certain},
		"the only one":                 {[]on{{"a", port + pending}}, incident.Drive, blame.Certain},
		"one of two":                   {[]on{{"a", port + pending + clean}}, incident.Drive, blame.VeryLikely},
		"a cable, and another's drive": {[]on{{"a", link}, {"b", "smartctl -a /dev/sda\n199 UDMA_CRC_Error_Count 0x003e 200 200 000 Old_age Always - 0\n" + pending}}, incident.Link, blame.VeryLikely},
		"a cable, and one of two":      {[]on{{"a", link + pending + clean}}, incident.Link, blame.VeryLikely},
	} {
		v := judgeHosts(t, c.hosts...)
		named := v.Cause != nil && v.Cause.Layer == c.layer && v.Cause.How == c.how
		for _, between := range v.Between { // the other drive's sectors are a verdict of their own
			named = named || between.Layer == c.layer && between.How == c.how
		}
		if !named {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Disks of two machines share neither a controller nor memory; two disks of a model are two.
func TestPoolsOfTwoHosts(t *testing.T) {
	pool := func(disk string) string {
		return "\tNAME STATE READ WRITE CKSUM\n\ttank ONLINE 0 0 0\n\t" + disk + " ONLINE 0 0 1\n"
	}
	if got := layers(judgeHosts(t, on{"a", pool("sda") + pool("sdb")})); got != "memory or CPU" {
		t.Errorf("two disks of a host: %q", got)
	}
	for model, at := range map[string]string{"nvme-Samsung_SSD_980_PRO_1TB_S": "A", "ata-WDC_WD40EFRX-68N32N0_WD-WCC7K": "B"} {
		mirror := pool(model+"1"+at) + pool(model+"2"+at)
		if got := layers(judgeHosts(t, on{"a", mirror})); got != "memory or CPU" {
			t.Errorf("two disks of a host called %s: %q", model, got)
		}
		const zio = " error=52 type=1 offset=1 size=8192 flags=b08c1\n"
		log := "zio pool=tank vdev=/dev/disk/by-id/" + model + "1" + at + "-part1" + zio + "zio pool=tank vdev=/dev/disk/by-id/" + model + "2" + at + "-part1" + zio
		if got := layers(judgeHosts(t, on{"a", log})); got != "? controller or PCIe, ? memory or CPU" {
			t.Errorf("the kernel's lines of two disks called %s: %q", model, got)
		}
	}
	v := judgeHosts(t, on{"a", pool("sda")}, on{"b", pool("sdb")})
	if got := layers(v); got != "? cable or link, ? drive, ? cable or link, ? drive" {
		t.Errorf("a disk on each of two hosts: %q", got)
	}
}
