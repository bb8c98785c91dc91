package clones

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/hosts"
	"assay/lab/internal/hypervisor"
	"assay/lab/internal/laptop"
	"assay/report"
)

// web is the directory that the hypervisor's own web server serves, and slow a download that
// never ends.
const (
	web  = hosts.BenchDir + "/web"
	from = "http://127.0.0.1:8080/"
	slow = "http://127.0.0.1:8081/cloud.qcow2"
)

// newCloudBed returns a bed with a cloud image, both in the pool and on a web
// server.
func newCloudBed(t *testing.T) *bed {
	t.Helper()
	if err := hypervisor.Missing(); err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	guesttest.Take(t)
	cloud, err := guest.Cloud()
	if err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	b := newHypervisor(t, filepath.Dir(cloud))
	b.pour(cloud, "here.qcow2")
	sum, _, _ := strings.Cut(b.feed("", `set -e
		mkdir `+web+`
		cp `+images+`/here.qcow2 `+web+`/cloud.qcow2
		busybox httpd -p 127.0.0.1:8080 -h `+web+`
		cat >/run/slow.sh <<'SH'
			printf 'HTTP/1.0 200 OK\r\nContent-Length: 1000000000\r\n\r\n'
			head -c 1000000 /dev/zero
			exec sleep 3600
SH
		socat TCP-LISTEN:8081,bind=127.0.0.1,fork,reuseaddr SYSTEM:'sh /run/slow.sh' </dev/null >/dev/null 2>&1 &
		sha512sum <`+web+`/cloud.qcow2`), " ")
	how := "pool: images, bridge: br0, on: kvm1, memory: 512M, cpus: 1, disk: 3G"
	one := func(name, image string) string {
		return fmt.Sprintf("  %s: {clone: {image: %q, %s}, measure: {directories: [/var/tmp]}}\n", name, image, how)
	}
	of := func(name, image, sum string) string {
		return strings.Replace(one(name, image), "pool:", "sha512: "+sum+", count: 2, pool:", 1)
	}
	b.sit(one("here", images+"/here.qcow2") + of("deb", from+"cloud.qcow2", sum) + of("none", from+"none.qcow2", sum) +
		of("other", from+"cloud.qcow2", strings.Repeat("0", 128)) + of("slow", slow, sum))
	return b
}

// All tests share one hypervisor.
func TestCloudImages(t *testing.T) {
	b := newCloudBed(t)
	t.Run("what cannot be used", b.refused)
	t.Run("killed while it is downloaded", b.killedDownload)
	t.Run("downloaded, measured and destroyed", b.downloaded)
	t.Run("one that is there, killed while it is measured", b.killedCloud)
	if is := b.checksums(); is != b.sums {
		t.Errorf("the pool was\n%s\nand is\n%s", b.sums, is)
	}
}

func (b *bed) refused(t *testing.T) {
	for guests, want := range map[string]string{"other": "it is not used", "none": "404"} {
		r := b.run("--suite", "baseline", "--host", guests).Wait(whole)
		if r.Exit == 0 || !strings.Contains(r.Said, want) {
			t.Errorf("%s: status %d: %s; want %q", guests, r.Exit, laptop.Brief(r.Said), want)
		}
		b.expectNothingLeft(t)
	}
}

func (b *bed) killedDownload(t *testing.T) {
	c := b.run("--suite", "baseline", "--host", "slow")
	c.AwaitWithin(patience, "the image is downloaded", func() bool { return b.feed("", "find "+images+" -name 'assay-*' -size +500k") != "" })
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(whole)
	b.expectCleanedUp(t)
}

// agents decodes the answers of the guest agents in assay's domains, one per
// domain.
func (b *bed) agents(t *testing.T, question string, into func() any) {
	t.Helper()
	for name := range b.domains() {
		text := b.feed("", `virsh -q -c qemu:///system qemu-agent-command --domain "$0" --timeout 60 --cmd "{\"execute\": \"$1\"}"`, name, question)
		if err := json.Unmarshal([]byte(text), into()); err != nil {
			t.Errorf("%s: %v: %s", name, err, text)
		}
	}
}

// The guests have the names that the run gave them, and their file systems have
// grown.
func (b *bed) expectSetUp(t *testing.T) {
	t.Helper()
	type answer[T any] struct{ Return T }
	var names []*answer[map[string]string]
	b.agents(t, "guest-get-host-name", func() any { names = append(names, &answer[map[string]string]{}); return names[len(names)-1] })
	called := map[string]bool{}
	for _, n := range names {
		called[n.Return["host-name"]] = true
	}
	if want := map[string]bool{"deb-1": true, "deb-2": true}; !maps.Equal(called, want) {
		t.Errorf("the guests are called %v", called)
	}
	type mount struct {
		Mountpoint string
		Total      int64 `json:"total-bytes"`
	}
	var mounts []*answer[[]mount]
	b.agents(t, "guest-get-fsinfo", func() any { mounts = append(mounts, &answer[[]mount]{}); return mounts[len(mounts)-1] })
	for _, of := range mounts {
		for _, m := range of.Return {
			if m.Mountpoint == "/" && m.Total < 2<<30 {
				t.Errorf("the root of a guest has %d bytes", m.Total)
			}
		}
	}
}

// Two guests share one download.
func (b *bed) downloaded(t *testing.T) {
	c := b.inside()
	told(c, "begin", 0)
	b.expectSetUp(t)
	if n := strings.Fields(b.feed("", "ls "+images)); len(n) != 1+1+2*2 {
		t.Errorf("in the pool is %q, want the image, one that was downloaded, and two disks of each guest", n)
	}
	// A guest with too little of the emulated CPU runs out of time, which makes the run
	// partial.
	r := c.Wait(whole)
	if r.Exit != 0 && r.Exit != 3 && r.Exit != 5 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	d := laptop.Read[report.Document](t, r)
	if all := figuresOf(d); len(all) == 0 || len(all) < 2 && r.Exit != 5 {
		t.Errorf("measured %v:\n%s", all, laptop.InShort(d, ""))
	}
	b.expectNothingLeft(t)
}

func (b *bed) killedCloud(t *testing.T) {
	c := b.run("--suite", "baseline", "--host", "here")
	told(c, "begin", 0)
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(whole)
	if !b.running(1) {
		t.Errorf("a clone should be left: %v", b.domains())
	}
	b.expectCleanedUp(t)
}
