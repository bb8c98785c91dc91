package tiers_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/inventory/cluster"
	"assay/lab/garage"
	"assay/lab/kube"
	"assay/lab/tiers"
	"assay/lab/tiers/tierstest"
	volumeall "assay/volume/all"
	"assay/volume/bucket"
	"assay/volume/hostpath"
	pvcvolume "assay/volume/pvc"
	"assay/volume/rawblock"
)

// TestTheTiersAreThere reads the lab's cluster.yaml as assay does, and checks
// from pods what it names.
func TestTheTiersAreThere(t *testing.T) {
	l := tierstest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	text, err := os.ReadFile(l.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.Read(l.Cluster(), text, volumeall.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, secret := l.Garage.Admin(); strings.Contains(string(text), secret) {
		t.Error("the token stands in cluster.yaml")
	}
	if file := c.Path(string(c.Kubernetes.Kubeconfig), ""); file != l.Kube.Kubeconfig() || c.Kubernetes.Image != kube.Image {
		t.Errorf("kubeconfig %s, image %s", file, c.Kubernetes.Image)
	}
	sd, usb, pvc, block, store := c.Tier("sd"), c.Tier("usb"), c.Tier("pvc"), c.Tier("block"), c.Tier("garage")
	if len(c.Tiers) != 5 || sd == nil || usb == nil || pvc == nil || block == nil || store == nil {
		t.Fatalf("the tiers are %+v", c.Tiers)
	}
	claim, device, s3 := pvc.Storage.(*pvcvolume.Storage), usb.Storage.(*rawblock.Storage), store.Storage.(*bucket.Storage)
	if string(claim.Class) != kube.ClassDelete || block.Storage.(*pvcvolume.Storage).Mode != "Block" || string(s3.Region) != garage.Region {
		t.Errorf("%+v, %+v, %+v", claim, block.Storage, s3)
	}
	if word, file, _ := strings.Cut(string(s3.Garage.Token), " "); word != "file" {
		t.Errorf("the token is in %q", s3.Garage.Token)
	} else if b, err := os.ReadFile(file); err != nil || strings.TrimSpace(string(b)) == "" {
		t.Errorf("%v in %s: %v", b, file, err)
	}
	// A pod on each tier's nodes sees the directory, the device and the store.
	look(ctx, t, l, "sd", sd.Nodes[0], "test -d /tier && touch /tier/x && rm /tier/x", string(sd.Storage.(*hostpath.Storage).Directory))
	look(ctx, t, l, "usb", usb.Nodes[0], fmt.Sprintf("test -b %s && wipefs --no-act %[1]s && grep -qx '%s' /sys/dev/block/7:*/loop/backing_file",
		device.Path, device.Backing), "")
	var ask []string
	for _, endpoint := range append([]bucket.Endpoint{s3.Garage.Admin}, s3.Endpoints...) {
		ask = append(ask, fmt.Sprintf("timeout 60 bash -c 'exec 3<>/dev/tcp/%s && printf \"GET /health HTTP/1.0\\r\\n\\r\\n\" >&3 && grep -q HTTP/ <&3'",
			strings.Replace(strings.TrimPrefix(string(endpoint), "http://"), ":", "/", 1)))
	}
	for _, node := range store.Nodes {
		look(ctx, t, l, "store-"+node, node, strings.Join(ask, " && "), "")
	}
	// Up again, as by an unsure user, creates nothing anew.
	again, err := tiers.Up(ctx, l.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(again.Cluster()); err != nil || string(b) != string(text) {
		t.Errorf("it became another: %v\n%s", err, b)
	}
}

// look runs a script in a privileged pod, which must succeed.
func look(ctx context.Context, t *testing.T, l *tiers.Lab, name, node, script, hostPath string) {
	t.Helper()
	volumes, mounts := "", ""
	if hostPath != "" {
		volumes, mounts = "volumes: [{name: v, hostPath: {path: "+hostPath+", type: Directory}}]", "volumeMounts: [{name: v, mountPath: /tier}]"
	}
	if err := l.Kube.Apply(ctx, fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec:
  nodeName: %s
  restartPolicy: Never
  %s
  containers:
  - name: main
    image: %s
    imagePullPolicy: Never
    securityContext: {privileged: true}
    command: [sh, -euxc, %q]
    %s
`, name, node, volumes, kube.Image, script, mounts)); err != nil {
		t.Fatal(err)
	}
	for phase := ""; phase != "Succeeded"; {
		var err error
		phase, err = l.Kube.Kubectl(ctx, "get", "pod", name, "-o", "jsonpath={.status.phase}")
		if err != nil || phase == "Failed" {
			logs, _ := l.Kube.Kubectl(ctx, "logs", name)
			t.Errorf("%s on %s: %v: %s", script, node, err, logs)
			return
		}
		time.Sleep(100 * time.Millisecond) // between polls; ctx bounds them
	}
}

// TestWhatIsHalfMade checks that an unfinished lab can be removed, but not
// opened.
func TestWhatIsHalfMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiers")
	if _, err := tiers.Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened %v", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tiers.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tiers.Open(dir); err == nil {
		t.Error("opened a lab without a Kubernetes")
	}
	for range 2 {
		if err := tiers.Down(t.Context(), dir); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
}
