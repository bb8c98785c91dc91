package read

import (
	"slices"

	"assay/incident"
)

// refusedKubernetes returns signatures for settings, names, rights and versions that
// Kubernetes, its runtimes and etcd reject.
func refusedKubernetes() []signature {
	return slices.Concat(
		said(incident.Refused,
			// requests for something missing or not allowed
			"executable file not found in $PATH", "no matches for kind \"", "could not find the requested resource", "is forbidden: User \"", "is forbidden: node \"", "is forbidden: violates PodSecurity", "is forbidden: exceeded quota",
			"unable to validate against any pod security policy", "unable to validate against any security context constraint", "references non-existent secret key", "references non-existent config key", "field is immutable",
			"error converting YAML to JSON", "strict decoding error: unknown field", "ValidationError(", "didn't match Pod's node affinity", "didn't match node selector", "didn't have free ports for the requested pod ports",
			"untolerated taint {node-role.kubernetes.io/", "untolerated taint(s)", "CreateContainerConfigError", "container has runAsNonRoot and image will run as root", "is not a shared mount", "is mounted on / but it is not a shared",
			// images
			"manifest unknown", "pull access denied", "unauthorized: authentication required", "have reached your pull rate limit", "have reached your unauthenticated pull rate limit", "server gave HTTP response to HTTPS client", "no match for platform in manifest", "InvalidImageName",
			"does not match the specified platform",
			// certificates and tokens that don't match, whatever the time
			"certificate signed by unknown authority", "x509: certificate is valid for ", "x509: certificate is not valid for any names", "doesn't contain any IP SANs", "certificate relies on legacy Common Name", "private key does not match public key",
			"unknown certificate authority", "could not find a JWS signature in the cluster-info", "You must be logged in to the server", "invalid bearer token", "failed to validate token", "encrypted with different token", "Invalid service account token",
			// kubeadm and the kubelet
			"error execution phase preflight", "FileContent--proc-sys-net-bridge-nf-call-iptables", "failed to load bootstrap kubeconfig", "unable to load bootstrap kubeconfig", "failed to load kubelet config file", "failed to load Kubelet config file", "unable to load client CA file", "unrecognized feature gate",
			"cannot set feature gate", "failed to parse kubelet flag", "failed to validate kubelet configuration", "Failed to start ContainerManager", "system validation failed - Following Cgroup subsystem not mounted", "missing required cgroups",
			"kubelet is configured to not run on a host using cgroup v1", "unknown service runtime.v1", "kubelet version is higher than the control plane version", "this version of kubeadm only supports deploying clusters with the control plane version",
			"systemd cgroup flag passed, but systemd support for managing cgroups is not available", "expected cgroupsPath to be of format \"slice:prefix:name\"",
			// networks of pods, never set up
			"no networks found in /etc/cni/net.d", "cni config uninitialized", "cni plugin not initialized", "no network config found in /etc/cni/net.d", "pod cidr not assigned", "open /run/flannel/subnet.env: no such file", "failed to find plugin \"", "incompatible CNI versions",
			"error getting ClusterInformation: connection is unauthorized", "CIDR range already allocated", "overlaps with other one on this address space", "no IP addresses available in range set", "Calico node is incompatible", "unable to autodetect an IPv4 address",
			// container runtimes
			"permission denied while trying to connect to the Docker daemon", "directives are specified both as a flag and in the configuration file", "unable to configure the Docker daemon with file", "failed to start daemon: Error initializing network controller", "port is already allocated", "error while creating mount source path",
			"is already in use by container", "invalid plugin config", "failed to start containerd: invalid", "is not supported over overlayfs", "error initializing graphdriver: prior storage driver", "prior storage driver ", "unknown log opt", "invalid mount config for type", "bind source path does not exist",
			"could not select device driver \"", "unknown runtime specified", "unknown or invalid runtime name", "newuidmap: ", "setrlimit: operation not permitted",
			// etcd
			"request cluster ID mismatch", "cluster ID mismatch", "has already been bootstrapped", "has been permanently removed from the cluster", "couldn't find local name", "--initial-cluster has ", "unmatched member while checking PeerURLs", "mvcc: database space exceeded", "alarm:NOSPACE",
			"the local etcd version", "cluster cannot be downgraded", "invalid downgrade; ", "member count is unequal", "etcdserver: re-configuration failed due to not enough started members",
			// node services blocked by another one or lacking rights
			"bind: address already in use", "bind: Address already in use", "Address already in use", "bind: permission denied", "bind: cannot assign requested address", "too many open files", "Too many open files",
			"failed to create fsnotify watcher", "operation not permitted: unknown", "failed to create cgroup",
			// command lines
			"unknown flag: --", "unknown shorthand flag: ", "flag provided but not defined", "unrecognized option '", "unrecognized arguments: ", "invalid option -- '", "unknown long option", "unknown command line flag",
		),
		[]signature{
			{has: "exec format error", kind: incident.Refused, device: nothing, or: []string{": exec format error", "exec user process", "fork/exec"}}, // of another architecture
			{has: "ailed to run Kubelet", kind: incident.Refused, device: nothing, or: []string{"misconfiguration", "unable to load", "failed to load", "no such file", "swap", "validate", "unknown", "invalid", "cgroup", "unable to read"}},
			{has: "[ERROR ", kind: incident.Refused, device: nothing, or: []string{"Swap]", "Port-", "DirAvailable", "FileAvailable", "NumCPU]", "CRI]", "KubeletVersion]", "SystemVerification]", "IsPrivilegedUser]", "FileExisting", "FileContent", "ImagePull", "Mem]", "Hostname]"}},
			{has: "admission webhook \"", kind: incident.Refused, device: nothing, and: "denied the request"},
			{has: "is invalid: ", kind: incident.Refused, device: nothing, or: []string{"Forbidden: ", "Invalid value: ", "Required value", "Unsupported value: "}},
			{has: "secret \"", kind: incident.Refused, device: nothing, and: "\" not found"},
			{has: "configmap \"", kind: incident.Refused, device: nothing, and: "\" not found"},
			{has: "repository does not exist", kind: incident.Refused, device: nothing, or: []string{"denied", "may require"}},
			{has: "OCI runtime", kind: incident.Refused, device: nothing, and: "failed", not: []string{"no space left", "annot allocate memory", "nput/output error", "ead-only file system", "memory limit too low", "OOM", "signal: killed"}},
			{has: "cannot list resource", kind: incident.Refused, device: nothing, or: []string{"in API group"}},
			{has: "iptables", kind: incident.Refused, device: nothing, or: []string{"can't initialize iptables table", "can't initialize ip6tables table", "Couldn't load match", "Couldn't load target", "use 'nft' tool", "No chain/target/match by that name", "Table does not exist (do you need to insmod?)", "Fatal: can't open lock file", "Could not fetch rule set generation id"}},
			{has: "br_netfilter", kind: incident.Refused, device: nothing, or: []string{"not loaded", "no such file", "does not exist", "missing"}},
			{has: "inotify", kind: incident.Refused, device: nothing, or: []string{"max_user_instances", "max_user_watches", "watches reached", "limit"}},
			{has: "nf_tables", kind: incident.Refused, device: nothing, and: "incompatible"},
			{has: "modprobe: FATAL: Module ", kind: incident.Refused, device: nothing, and: "not found"},
			{has: "Failed to find module '", kind: incident.Refused, device: nothing},
			{has: "raft: tocommit(", kind: incident.Refused, device: nothing, and: "is out of range"}, // etcd with recreated data
			{has: "tocommit", kind: incident.Refused, device: nothing, and: "is out of range [lastIndex"},
		},
	)
}
