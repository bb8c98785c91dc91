package clone

import (
	"encoding/json"
	"fmt"
	"slices"

	"assay/internal/vfat"
)

// starting starts the guest agent, which the packages of some distributions do not.
const starting = "systemctl start qemu-guest-agent || rc-service qemu-guest-agent start || service qemu-guest-agent start"

// seed returns the disk that tells cloud-init what to do in a guest (NoCloud): its name, and
// to install a guest agent and these packages. Nobody can log in: there is neither a password
// nor a key. It is pure.
func seed(id, name string, packages []string) ([]byte, error) {
	all := []string{"qemu-guest-agent"}
	for _, p := range packages {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	// JSON is YAML.
	list, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	user := fmt.Sprintf("#cloud-config\npackage_update: true\npackages: %s\nruncmd: [%q]\n", list, starting)
	meta := fmt.Sprintf("{\"instance-id\": %q, \"local-hostname\": %q}\n", prefix+id, name)
	return vfat.Image("CIDATA", vfat.File{Name: "user-data", Text: []byte(user)}, vfat.File{Name: "meta-data", Text: []byte(meta)})
}
