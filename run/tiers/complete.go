package tiers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	placekube "assay/place/kube"
	"assay/stacks/kube"
	"assay/stacks/kube/words"
	"assay/volume"
)

// Complete adds the tier data to an inventory of the deployment's hosts: the tiers themselves,
// their devices and buckets, what they share, the network between their pods, what the
// Kubernetes knows of their storage, and the hosts of the file that hold their data but are no
// clients. tools are the programs to look for on hosts. It may be called again, for a later
// inventory: what it found before then no longer counts.
func (d *Deployment) Complete(ctx context.Context, inv *assay.Inventory, tools []string) {
	d.holders = nil
	d.Notes = slices.DeleteFunc(d.Notes, func(n assay.Note) bool { return slices.Contains(d.completed, n) })
	before := len(d.Notes)
	d.learn(ctx, inv)
	d.addHolders(ctx, inv, tools)
	for _, one := range d.clients {
		d.addTier(inv, one)
		if _, asked := inv.Facts[one.host.Name]; !asked {
			continue
		}
		switch {
		case one.isThere() && one.subject.Kind == assay.KindDirectory:
			markDirectory(inv, one)
		case one.isThere() && one.subject.Kind == assay.KindBlock:
			d.addBlock(ctx, inv, one)
		default:
			inv.Subjects = append(inv.Subjects, onDrives(inv, one.subject))
		}
	}
	d.addStacks(ctx, inv)
	inv.Networks = append(inv.Networks, d.podNetwork(inv)...)
	inv.Resources = append(inv.Resources, d.shared()...)
	d.completed = slices.Clone(d.Notes[before:])
}

// shared returns what no two pods may use at once: nodes, disks and the network
// are shared in ways that are invisible from here. A replica of one pod's volume
// may be on another's node. The hosts that have parts of one tier also count.
func (d *Deployment) shared() []assay.Resource {
	all := d.spreadOver()
	if pods := d.Pods(); len(pods) > 1 {
		all = append(all, assay.Resource{Name: "the Kubernetes", Hosts: pods})
	}
	return all
}

func (d *Deployment) addTier(inv *assay.Inventory, one *client) {
	i := slices.IndexFunc(inv.Tiers, func(t assay.Tier) bool { return t.Name == one.tier.Name })
	if i < 0 {
		inv.Tiers = append(inv.Tiers, assay.Tier{Name: one.tier.Name, Kind: one.volume(), Set: one.tier.Settings(), Nodes: map[string]string{}})
		i = len(inv.Tiers) - 1
	}
	t := &inv.Tiers[i]
	t.Hosts = append(t.Hosts, one.host.Name)
	if one.inPod() {
		t.Nodes[one.host.Name] = one.node
		if one.pod != nil && one.pod.Node() != "" {
			t.Nodes[one.host.Name] = one.pod.Node()
		}
	}
}

// markDirectory sets the tier of a directory in the inventory.
func markDirectory(inv *assay.Inventory, one *client) {
	for i := range inv.Subjects {
		d := &inv.Subjects[i]
		if d.Kind != assay.KindDirectory || d.Host != one.host.Name || d.Name != one.subject.Name {
			continue
		}
		d.Tier, d.Volume, d.Params = one.subject.Tier, one.subject.Volume, one.subject.Params
	}
}

// glance bounds the one command that reads a device's size.
const glance = 20 * time.Second

// addBlock adds a device with its size and kernel name as seen in the pod: its
// path there is chosen by assay.
func (d *Deployment) addBlock(ctx context.Context, inv *assay.Inventory, one *client) {
	const ask = `set -- $(stat -L -c '%t %T' "$1") && d=/sys/dev/block/$((0x$1)):$((0x$2)) && n=$(readlink -f "$d") && echo "${n##*/} $(cat "$d/size")"`
	subject := one.subject
	facts := inv.Facts[one.host.Name]
	out, err := d.places[one.host.Name].Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", ask, "sh", one.subject.Name}, Timeout: glance})
	name, sectors, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), " ")
	n, perr := strconv.ParseInt(sectors, 10, 64)
	if err != nil || out.Exit != 0 || perr != nil || n <= 0 {
		facts.Missing = append(facts.Missing, assay.MissingFact{Fact: "size of " + one.subject.Name, Why: "not visible in the pod"})
	} else {
		b := assay.BlockDevice{Name: name, Kind: "other"}
		if known := facts.Device(name); known != nil {
			b = *known
			subject.On = []string{one.host.Name + "/" + string(assay.KindDrive) + "/" + name}
		}
		b.Path, b.Bytes = one.subject.Name, n*512
		facts.Block = append(slices.DeleteFunc(slices.Clone(facts.Block), func(d assay.BlockDevice) bool { return d.Name == name }), b)
	}
	inv.Facts[one.host.Name] = facts
	if !slices.ContainsFunc(inv.Subjects, func(s assay.Subject) bool { return len(subject.On) > 0 && s.ID == subject.On[0] }) {
		subject.On = nil
	}
	inv.Subjects = append(inv.Subjects, subject)
}

// onDrives returns a storage that is made when lent, with the drives of its host that the
// facts show under it.
func onDrives(inv *assay.Inventory, s assay.Subject) assay.Subject {
	for _, id := range inventory.DrivesUnder(inv.Facts[s.Host], s.Name) {
		if slices.ContainsFunc(inv.Subjects, func(d assay.Subject) bool { return d.ID == id }) {
			s.On = append(slices.Clone(s.On), id)
		}
	}
	return s
}

// podNetwork returns the network of the pods, with one pod for each node.
func (d *Deployment) podNetwork(inv *assay.Inventory) []assay.Network {
	n := assay.Network{Name: d.podNetworkName(), Addresses: map[string]string{}}
	seen := map[string]bool{}
	for _, one := range d.pods() {
		if _, asked := inv.Facts[one.host.Name]; !asked || one.pod == nil || seen[one.pod.Node()] || one.pod.Address() == "" {
			continue
		}
		seen[one.pod.Node()] = true
		n.Addresses[one.host.Name] = one.pod.Address()
	}
	if len(n.Addresses) < 2 {
		return nil
	}
	return []assay.Network{n}
}

// podNetworkName names the network that the pods are on.
func (d *Deployment) podNetworkName() string {
	if k := d.options.Cluster.Kubernetes; k != nil && k.HostNetwork {
		return "nodes"
	}
	return "pods"
}

// learn asks hosts what the measured storage consists of. Identical notes of several
// hosts are added once.
func (d *Deployment) learn(ctx context.Context, inv *assay.Inventory) {
	for _, one := range d.clients {
		storage, tells := one.tier.Storage.(volume.Learner)
		facts, asked := inv.Facts[one.host.Name]
		if !tells || !asked {
			continue
		}
		notes, err := storage.Learn(ctx, d.places[one.host.Name], &facts)
		if err != nil {
			facts.Missing = append(facts.Missing, assay.MissingFact{Fact: "storage under " + one.subject.Name, Why: err.Error()})
		}
		for _, note := range notes {
			note.Text = one.tier.Name + ": " + note.Text
			if !slices.Contains(d.Notes, note) {
				d.Notes = append(d.Notes, note)
			}
		}
		inv.Facts[one.host.Name] = facts
	}
}

// addStacks asks the Kubernetes what each claim consists of.
func (d *Deployment) addStacks(ctx context.Context, inv *assay.Inventory) {
	for _, one := range d.pods() {
		facts, asked := inv.Facts[one.host.Name]
		if !asked || one.attached.Claim == nil || one.pod == nil {
			continue
		}
		stack, err := kube.StackOf(ctx, d.cluster.Client(), d.space, one.pod.Claim(one.attached.Claim.Name), one.pod.Node())
		if err != nil {
			stack.Missing = append(stack.Missing, assay.MissingFact{Fact: "storage under " + one.subject.Name, Why: err.Error()})
		}
		facts.Stack = stack.Facts
		if stack.Volume != "" {
			facts.Claim = &stack.ClaimFacts
		}
		facts.Missing = append(facts.Missing, stack.Missing...)
		d.Notes = append(d.Notes, stack.Notes...)
		inv.Facts[one.host.Name] = facts
	}
}

// podOptions returns the options of a client's pod.
func (d *Deployment) podOptions(one *client) (placekube.Options, error) {
	k := d.options.Cluster.Kubernetes
	o := placekube.Options{
		Host: one.host, Run: d.options.Run, Tier: one.tier.Name, Namespace: d.space,
		Image: string(k.Image), PullPolicy: corev1.PullPolicy(k.Pull),
		Node: one.node, NodeSelector: k.NodeSelector, PriorityClass: string(k.PriorityClass), HostNetwork: k.HostNetwork,
		Deadline: d.options.Deadline, Keep: d.options.Keep,
	}
	if one.attached.Path != "" {
		o.Attachments = []kube.Attachment{one.attached}
	}
	for _, t := range k.Tolerations {
		toleration := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffect(t.Effect)}
		if t.Value != "" {
			toleration.Operator, toleration.Value = corev1.TolerationOpEqual, t.Value
		}
		o.Tolerations = append(o.Tolerations, toleration)
	}
	var err, lerr error
	o.Requests, err = amounts(k.Requests)
	o.Limits, lerr = amounts(k.Limits)
	return o, errors.Join(err, lerr)
}

func amounts(a cluster.Amounts) (corev1.ResourceList, error) {
	var list corev1.ResourceList
	for name, word := range map[corev1.ResourceName]words.Quantity{corev1.ResourceCPU: a.CPU, corev1.ResourceMemory: a.Memory} {
		if word == "" {
			continue
		}
		q, err := resource.ParseQuantity(string(word))
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, word, err)
		}
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[name] = q
	}
	return list, nil
}
