package kube

import (
	"crypto/rand"
	_ "embed" // the script of the pod's first process
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/removal"
	"assay/stacks/kube"
)

//go:embed waiter.sh
var waiterText string

// waiterScript is what the first process of a pod runs.
var waiterScript = removal.Script + waiterText

const (
	// userID and groupID are those of commands if the pod may not run as root.
	userID = 65532
	// grace is how long the pod may take to remove what assay left in mounts that
	// outlive it, in seconds.
	grace = 20
	// nameLimit leaves room for what Kubernetes adds to the name of a Job's pod.
	nameLimit  = 63 - 6
	claimLimit = 63
)

// Security returns the strictest level of the namespace that allows the pod.
func (o Options) Security() kube.Security {
	level := kube.Restricted
	if len(o.Install) > 0 || o.Image == "" {
		level = kube.Baseline // apk and apt-get need root
	}
	if o.HostNetwork {
		level = kube.Privileged
	}
	for _, a := range o.Attachments {
		level = level.AtLeast(a.Security)
	}
	return level
}

// jobName returns a new name for the host's Job.
func (o Options) jobName() string {
	return unique("assay-"+o.Host.Name, nameLimit)
}

// unique returns a unique name made of words, of at most limit bytes.
func unique(words string, limit int) string {
	suffix := "-" + strings.ToLower(rand.Text()[:5])
	return kube.ObjectName(words, limit-len(suffix)) + suffix
}

// claimed returns the claims that the attachments make, or have Kubernetes
// make.
func (o Options) claimed() []corev1.PersistentVolumeClaimSpec {
	var all []corev1.PersistentVolumeClaimSpec
	for _, a := range o.Attachments {
		if a.Claim != nil {
			all = append(all, a.Claim.Spec)
		}
		if a.Volume != nil && a.Volume.Ephemeral != nil {
			all = append(all, a.Volume.Ephemeral.VolumeClaimTemplate.Spec)
		}
	}
	return all
}

// ownedBy returns the options with each claim labelled as the Job's and given a
// unique name, as the user, another run or another tier may have a claim with the
// attachment's name. It also returns a map from the original names to the unique
// ones.
func (o Options) ownedBy(job string) (Options, map[string]string) {
	labels := kube.Labels(o.Run, o.Tier)
	labels[kube.LabelJob] = job
	names := map[string]string{}
	o.Attachments = slices.Clone(o.Attachments)
	for i := range o.Attachments {
		a := &o.Attachments[i]
		a.Claim, a.Volume = a.Claim.DeepCopy(), a.Volume.DeepCopy()
		if a.Claim != nil {
			names[a.Claim.Name] = unique(a.Claim.Name, claimLimit)
			a.Claim.Name, a.Claim.Namespace, a.Claim.Labels = names[a.Claim.Name], o.Namespace, labels
		}
		if a.Volume != nil && a.Volume.Ephemeral != nil {
			a.Volume.Ephemeral.VolumeClaimTemplate.Labels = labels
		}
	}
	for _, a := range o.Attachments {
		if a.Volume == nil || a.Volume.PersistentVolumeClaim == nil {
			continue
		}
		if own := names[a.Volume.PersistentVolumeClaim.ClaimName]; own != "" {
			a.Volume.PersistentVolumeClaim.ClaimName = own
		}
	}
	return o, names
}

// job returns the Job that Open creates. Kubernetes ends it by itself, unless it
// is to be kept. Pure.
func (o Options) job(name string, forget time.Duration) *batchv1.Job {
	labels := kube.Labels(o.Run, o.Tier)
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: o.Namespace, Labels: labels},
		Spec: batchv1.JobSpec{
			Parallelism: pointer[int32](1), Completions: pointer[int32](1), BackoffLimit: pointer[int32](0),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       o.pod(),
			},
		},
	}
	if !o.Keep {
		job.Spec.ActiveDeadlineSeconds = pointer(max(1, int64(o.Deadline/time.Second)))
		job.Spec.TTLSecondsAfterFinished = pointer(int32(forget / time.Second))
	}
	return job
}

func (o Options) pod() corev1.PodSpec {
	spec := corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyNever,
		TerminationGracePeriodSeconds: pointer[int64](grace),
		AutomountServiceAccountToken:  pointer(false),
		EnableServiceLinks:            pointer(false),
		NodeSelector:                  o.NodeSelector,
		Tolerations:                   o.Tolerations,
		PriorityClassName:             o.PriorityClass,
		HostNetwork:                   o.HostNetwork,
		SecurityContext:               o.podSecurity(),
		Containers:                    []corev1.Container{o.container()},
	}
	if o.HostNetwork {
		spec.DNSPolicy = corev1.DNSClusterFirstWithHostNet
	}
	if o.Node != "" {
		// Select by the node's own name, which its label may differ from, and
		// go through the scheduler: without it, claims that wait for a pod are
		// never bound.
		term := corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{o.Node}}}}
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}}}
	}
	for _, a := range o.Attachments {
		if a.Volume != nil {
			spec.Volumes = append(spec.Volumes, *a.Volume)
		}
	}
	return spec
}

func (o Options) container() corev1.Container {
	c := corev1.Container{
		Name: kube.ContainerName, Image: o.Image, ImagePullPolicy: o.PullPolicy,
		Command:         []string{"/bin/sh", "-c", literal(waiterScript), "sh"},
		Args:            []string{literal(strings.Join(o.Install, " "))},
		Resources:       corev1.ResourceRequirements{Requests: o.Requests, Limits: o.Limits},
		SecurityContext: o.containerSecurity(),
	}
	for _, a := range o.Attachments {
		if a.Mount != nil {
			c.VolumeMounts = append(c.VolumeMounts, *a.Mount)
			if a.Persists {
				c.Args = append(c.Args, literal(a.Path))
			}
		}
		if a.Device != nil {
			c.VolumeDevices = append(c.VolumeDevices, *a.Device)
		}
	}
	return c
}

// literal escapes words for Kubernetes, which expands $(NAME) in a container's
// command and reads $$ as a dollar sign.
func literal(words string) string { return strings.ReplaceAll(words, "$", "$$") }

func (o Options) podSecurity() *corev1.PodSecurityContext {
	if o.Security() != kube.Restricted {
		return &corev1.PodSecurityContext{RunAsUser: pointer[int64](0)}
	}
	context := &corev1.PodSecurityContext{
		RunAsNonRoot: pointer(true), RunAsUser: pointer[int64](userID), RunAsGroup: pointer[int64](userID), FSGroup: pointer[int64](userID),
		// Avoid a needless walk of a file system with millions of files.
		FSGroupChangePolicy: pointer(corev1.FSGroupChangeOnRootMismatch),
		SeccompProfile:      &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	if !o.HostNetwork {
		// Allow ping without the right to raw sockets. Every security level
		// permits this sysctl.
		context.Sysctls = []corev1.Sysctl{{Name: "net.ipv4.ping_group_range", Value: "0 65535"}}
	}
	return context
}

func (o Options) containerSecurity() *corev1.SecurityContext {
	for _, a := range o.Attachments {
		if a.Privileged {
			return &corev1.SecurityContext{Privileged: pointer(true)}
		}
	}
	context := &corev1.SecurityContext{
		AllowPrivilegeEscalation: pointer(false),
		SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	if o.Security() == kube.Restricted {
		context.Capabilities = &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}
	}
	return context
}

func pointer[T any](v T) *T { return &v }
