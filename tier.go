package assay

// Tier is one kind of storage as its users get it: the SD card of a node, a claim
// of a storage class, a bucket. It is measured from one or more hosts, each with
// its own subject.
type Tier struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // of the volume that lends it: dir, pvc, hostpath, rawblock, ephemeral, bucket
	// Hosts measure it, in the order of the file: SSH hosts, this machine, or
	// pods, named after the tier, or TIER@NODE if there are several.
	Hosts []string `json:"hosts"`
	// Nodes are the Kubernetes nodes of the hosts that are pods, by host name.
	Nodes map[string]string `json:"nodes,omitempty"`
	// Set is what was requested, for display: class, size, access, mode, device.
	Set map[string]string `json:"set,omitempty"`
}

// ObjectStore is a store that speaks S3: its location and the source of its
// credentials, but never the credentials.
type ObjectStore struct {
	Name string `json:"name"`
	// Endpoints are http:// or https:// addresses as seen from the measuring hosts.
	Endpoints   []string `json:"endpoints"`
	Region      string   `json:"region,omitempty"` // "" is us-east-1
	VirtualHost bool     `json:"virtual_host,omitempty"`
	CA          string   `json:"ca,omitempty"` // certificates to trust beside the system's, PEM
	// Credentials says where the keys come from: "env" (AWS_ACCESS_KEY_ID and
	// the like), "profile NAME" (in ~/.aws/credentials), "secret NAMESPACE/NAME"
	// (in Kubernetes). "" is env, then the default profile there.
	Credentials string `json:"credentials,omitempty"`
	// Garage makes a key and a bucket for the run through its admin API.
	Garage *GarageAdmin `json:"garage,omitempty"`
	// Kubernetes is the cluster from which a secret is read.
	Kubernetes *KubernetesAccess `json:"kubernetes,omitempty"`
}

// GarageAdmin is the admin API of a Garage.
type GarageAdmin struct {
	Address string `json:"address"` // http:// or https://
	// Token says where the token comes from: "env NAME", "file PATH" or "secret
	// NAMESPACE/NAME" (its key admin-token).
	Token string `json:"token"`
}

// KubernetesAccess tells how to reach a Kubernetes cluster, in kubectl's terms.
type KubernetesAccess struct {
	Kubeconfig string `json:"kubeconfig,omitempty"` // absolute path; "" for KUBECONFIG, ~/.kube/config
	Context    string `json:"context,omitempty"`    // "" for the current one
}
