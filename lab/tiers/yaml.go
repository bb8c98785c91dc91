package tiers

import (
	"fmt"
	"path/filepath"
	"strings"

	"assay/lab/garage"
	"assay/lab/kube"
)

const (
	stickNode  = "node2"
	stickBytes = 512 << 20
)

// describe returns the cluster.yaml of the lab. It refers to the Garage's token by
// file.
func (l *Lab) describe(stick kube.Device) string {
	nodes := strings.Join(l.Kube.Nodes(), ", ")
	admin, _ := l.Garage.Admin()
	return fmt.Sprintf(`# A Kubernetes of two nodes and a Garage of three, on one machine.
kubernetes:
  kubeconfig: %s
  image: %s
  pull: Never

tiers:
  sd: # a directory on the disk of a node
    node: node1
    hostpath: /srv/bench
  usb: # a block device as slow as a cheap stick; what is on it is lost
    node: %s
    device:
      path: %s
      backing: %s
      overwrite: %[5]s
  pvc: # a file system that the storage class makes
    nodes: [%[6]s]
    pvc: {class: %s, size: 1Gi}
  block: # a block device that it makes
    nodes: [%[6]s]
    pvc: {class: %[7]s, size: 1Gi, mode: Block}
  garage: # the object store, asked by pods
    nodes: [%[6]s]
    s3:
      endpoints: [%[8]s]
      region: %[9]s
      garage:
        admin: %[10]s
        token: %[11]q
`, filepath.Join(kubeDir, "users", "admin.kubeconfig"), kube.Image, stickNode, stick.Path, stick.Backing, nodes, kube.ClassDelete,
		strings.Join(l.Garage.Endpoints(), ", "), garage.Region, admin, "file "+l.Garage.TokenFile())
}
