package kube_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/lab/kube"
)

// volumes has the provisioner make one volume of each mode, and checks that
// nothing of them is left once their claims are gone.
func volumes(t *testing.T, c cluster) {
	c.apply(t, claim("fs", kube.ClassDelete, "Filesystem", "100Mi")+claim("block", kube.ClassDelete, "Block", "64Mi")+
		pod("fs", "node1", "fio --directory=/data"+fioArgs, files, claimed("fs"))+
		pod("block", "node2", "fio --filename=/dev/data"+fioArgs, device, claimed("block")))
	for i, name := range []string{"fs", "block"} {
		c.written(t, name)
		c.says(t, "Bound", "get pvc "+name+" -o jsonpath={.status.phase}")
		volume := c.get(t, "get pvc "+name+" -o jsonpath={.spec.volumeName}")
		if images := c.images(t, c.Nodes()[i], volume); len(images) != 1 {
			t.Errorf("%s has %v for %s", c.Nodes()[i], images, volume)
		}
		c.get(t, "delete pod "+name)
		c.get(t, "delete pvc "+name)
		c.gone(t, "persistentvolume/"+volume)
		if images := c.images(t, c.Nodes()[i], volume); len(images) != 0 {
			t.Errorf("%v are left", images)
		}
		c.eventually(t, func() error {
			if loops := loopsOf(t, volume); len(loops) != 0 {
				return fmt.Errorf("%v are left", loops)
			}
			return nil
		})
	}
}

// images returns what a node holds of a volume: files, mounts and devices.
func (c cluster) images(t *testing.T, node, volume string) []string {
	t.Helper()
	out, err := c.Run(c.ctx, node, "find", "/var/lib/lab/volumes", "/mnt/lab", "/dev", "-xdev", "-name", "*"+volume+"*", "-type", "f")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(out)
}

// loopsOf returns this machine's loop devices that are backed by a file of that
// name.
func loopsOf(t *testing.T, name string) []string {
	t.Helper()
	found, err := filepath.Glob("/sys/class/block/loop*/loop/backing_file")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, file := range found {
		if b, _ := os.ReadFile(file); strings.Contains(string(b), name) {
			all = append(all, file)
		}
	}
	return all
}

// static binds the two preexisting volumes of each node.
func static(t *testing.T, c cluster) {
	for _, node := range c.Nodes() {
		c.apply(t, claim("fs-"+node, kube.ClassStatic, "Filesystem", "1Gi")+claim("block-"+node, kube.ClassStatic, "Block", "1Gi")+
			pod("fs-"+node, node, "fio --directory=/data"+fioArgs, files, claimed("fs-"+node))+
			pod("block-"+node, node, "fio --filename=/dev/data"+fioArgs, device, claimed("block-"+node)))
	}
	for _, node := range c.Nodes() {
		for _, kind := range []string{"fs-", "block-"} {
			c.written(t, kind+node)
			c.get(t, "delete pod "+kind+node)
			c.get(t, "delete pvc "+kind+node)
		}
	}
}

// slow gives a node a rate-limited device, and checks that a privileged pod
// writes no faster.
func slow(t *testing.T, c cluster) {
	d, err := c.AddDevice(c.ctx, "node2", "stick", 64<<20, kube.Pace{WriteRate: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.AddDevice(c.ctx, "node2", "stick", 64<<20, kube.Pace{WriteRate: 4 << 20}); err != nil || again != d {
		t.Errorf("the second time: %+v, %v", again, err)
	}
	if len(loopsOf(t, d.Backing)) != 1 {
		t.Errorf("%v have %s", loopsOf(t, d.Backing), d.Backing)
	}
	c.apply(t, pod("slow", "node2", "sleep 1; fio --filename="+d.Path+fioArgs, ", securityContext: {privileged: true}", ""))
	c.written(t, "slow")
	var result struct {
		Jobs []struct {
			Write struct {
				Rate float64 `json:"bw_bytes"`
			}
		}
	}
	if err := json.Unmarshal([]byte(c.get(t, "logs slow")), &result); err != nil {
		t.Fatal(err)
	}
	// The kernel lets a short burst through at the start.
	if rate := result.Jobs[0].Write.Rate; rate > 4.5*(1<<20) || rate <= 0 {
		t.Errorf("fio wrote %.1f MiB/s, the bound is 4", rate/(1<<20))
	}
	c.get(t, "delete pod slow")
	for _, bad := range []string{"", "St", "../x"} {
		if _, err := c.AddDevice(c.ctx, "node1", bad, 64<<20, kube.Stick); err == nil {
			t.Errorf("a device %q was made", bad)
		}
	}
}

// retained keeps a volume when its claim goes, as its class says.
func retained(t *testing.T, c cluster) {
	c.apply(t, claim("kept", kube.ClassRetain, "Filesystem", "32Mi")+pod("kept", "node1", "fio --directory=/data"+fioArgs, files, claimed("kept")))
	c.written(t, "kept")
	volume := c.get(t, "get pvc kept -o jsonpath={.spec.volumeName}")
	c.get(t, "delete pod kept")
	c.get(t, "delete pvc kept")
	c.says(t, "Released", "get pv "+volume+" -o jsonpath={.status.phase}")
	c.get(t, "delete pv "+volume)
}

// full checks that a volume has no more room than it says.
func full(t *testing.T, c cluster) {
	c.apply(t, claim("small", kube.ClassDelete, "Filesystem", "12Mi")+
		pod("small", "node1", "fio --directory=/data"+fioArgs, files, claimed("small")))
	c.says(t, "Failed", "get pod small -o jsonpath={.status.phase}")
	if out := c.get(t, "logs small"); !strings.Contains(out, "No space left on device") {
		t.Errorf("fio printed %s", out)
	}
	c.get(t, "delete pod small")
	c.get(t, "delete pvc small")
}

func never(t *testing.T, c cluster) {
	c.apply(t, claim("never", kube.ClassNever, "Filesystem", "1Gi"))
	c.says(t, "ExternalProvisioning", "get events --field-selector involvedObject.name=never -o jsonpath={.items[*].reason}")
	if phase := c.get(t, "get pvc never -o jsonpath={.status.phase}"); phase != "Pending" {
		t.Errorf("it is %s", phase)
	}
	c.get(t, "delete pvc never")
}
