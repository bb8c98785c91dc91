package pods

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/incident"
	"assay/incident/read"
	"assay/internal/order"
	"assay/stacks/kube"
	"assay/stacks/kube/api"
)

// Limits on what is read from a cluster.
const (
	page       = 500         // objects per response
	mostPods   = 20_000      // examined
	mostFailed = 40          // logs and volumes read
	mostNodes  = 16          // queried for volume usage
	mostEvents = 2_000       // warnings
	lastLines  = 20          // of a container
	lastBytes  = 16 << 10    // of a container
	patience   = time.Minute // overall
)

// Options configure how a cluster is queried.
type Options struct {
	Since time.Time // how far to look back
	// Namespace is the fallback if the user may not list all namespaces; "" for none.
	Namespace string
	// HostOf returns a node's name in the cluster.yaml, by its node name and addresses; ""
	// if it has no entry.
	HostOf func(node string, addresses []string) string
}

// asker queries one cluster.
type asker struct {
	Options
	client  *api.Client
	explain func(doing string, err error) error
	answer  Answer
	refused map[string]bool // kinds that the user may not see; each is reported once
	hosts   map[string]string
}

// Ask queries a cluster. It returns an error if the cluster could not be
// queried at all.
func Ask(ctx context.Context, c *kube.Cluster, o Options) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := ask(ctx, c.Client(), c.Explain, o)
	answer.Cluster = c.Name()
	return answer, err
}

func ask(ctx context.Context, client *api.Client, explain func(string, error) error, o Options) (Answer, error) {
	a := &asker{Options: o, client: client, explain: explain, refused: map[string]bool{}, hosts: map[string]string{}}
	nodes := a.nodes(ctx)
	pods, err := a.pods(ctx)
	if err != nil {
		return Answer{}, err
	}
	failed := failing(pods, o.Since)
	left := max(0, len(failed)-mostFailed)
	failed = failed[:min(len(failed), mostFailed)]
	of := map[string]corev1.Pod{}
	for _, p := range pods {
		of[p.Namespace+"/"+p.Name] = p
	}
	for i := range failed {
		p := of[failed[i].Name]
		failed[i].Volumes = volumesOf(p, failed[i].Container)
		a.claims(ctx, failed[i].Volumes)
		failed[i].Said = a.lastWords(ctx, p, failed[i])
	}
	a.usage(ctx, failed)
	a.answer.Pods = failed
	events := a.events(ctx)
	a.read(nodes, failed, events)
	if left > 0 {
		a.record("pods that fail", 0, fmt.Sprintf("not supported: %d more were not looked at", left))
	}
	return a.answer, nil
}

// record notes how much of a kind was read, or why nothing was.
func (a *asker) record(name string, lines int, absent string) {
	a.answer.Records = append(a.answer.Records, Record{name, lines, absent})
}

// miss notes once that something could not be read, and which right would allow
// it.
func (a *asker) miss(name, verb, resource string, err error) {
	if a.refused[name] {
		return
	}
	a.refused[name] = true
	why := "failed: " + kube.Said(err)
	if apierrors.IsForbidden(err) {
		why += "; to let it, have a role allow " + verb + " on " + resource
	}
	a.record(name, 0, why)
}

// pods returns the pods of all namespaces, or of the one that the user may see.
func (a *asker) pods(ctx context.Context) ([]corev1.Pod, error) {
	all, err := pages(ctx, func(o metav1.ListOptions) ([]corev1.Pod, string, error) {
		l, err := a.client.Pods("").List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	}, metav1.ListOptions{}, mostPods)
	if err != nil && apierrors.IsForbidden(err) && a.Namespace != "" {
		a.miss("pods of other namespaces", "list", "pods in all namespaces", err)
		l, lerr := a.client.Pods(a.Namespace).List(ctx, metav1.ListOptions{Limit: page})
		if lerr != nil {
			return nil, a.explain("list pods of namespace "+a.Namespace, lerr)
		}
		all, err = l.Items, nil
	}
	if err != nil {
		return nil, a.explain("list pods", err)
	}
	a.record("pods", len(all), "")
	return all, nil
}

// pages fetches a list page by page.
func pages[T any](ctx context.Context, list func(metav1.ListOptions) ([]T, string, error), o metav1.ListOptions, most int) ([]T, error) {
	var all []T
	o.Limit = page
	for {
		some, more, err := list(o)
		if err != nil {
			return all, err
		}
		all = append(all, some...)
		if more == "" || len(all) >= most || ctx.Err() != nil {
			return all[:min(len(all), most)], nil
		}
		o.Continue = more
	}
}

// nodes returns one line per condition of an unhealthy node, and records the nodes' names
// in the cluster.yaml.
func (a *asker) nodes(ctx context.Context) (lines []line) {
	list, err := a.client.Nodes().List(ctx, metav1.ListOptions{Limit: page})
	if err != nil {
		a.miss("nodes", "list", "nodes", err)
		return nil
	}
	for _, n := range list.Items {
		var addresses []string
		for _, x := range n.Status.Addresses {
			addresses = append(addresses, x.Address)
		}
		if a.HostOf != nil {
			if host := a.HostOf(n.Name, addresses); host != "" {
				a.hosts[n.Name] = host
			}
		}
		for _, c := range n.Status.Conditions {
			bad := c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue || c.Type != corev1.NodeReady && c.Status == corev1.ConditionTrue
			if !bad {
				continue
			}
			what := string(c.Type)
			if c.Type == corev1.NodeReady {
				what = "NodeNotReady"
			}
			lines = append(lines, line{n.Name, stamp(c.LastTransitionTime.Time) + "node " + n.Name + " has " + what + ": " + c.Message})
		}
	}
	a.record("nodes", len(list.Items), "")
	return lines
}

// host returns the name of a node in the log.
func (a *asker) host(node string) string {
	if h := a.hosts[node]; h != "" {
		return h
	}
	return node
}

// line is a line of input for the log readers.
type line struct{ node, text string }

// stamp returns a timestamp prefix in a format that the log readers know.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339) + " "
}

// claims looks up the volumes behind claims.
func (a *asker) claims(ctx context.Context, volumes []Volume) {
	for i := range volumes {
		v := &volumes[i]
		if v.Claim == "" {
			continue
		}
		namespace, name, _ := strings.Cut(v.Claim, "/")
		claim, err := a.client.PersistentVolumeClaims(namespace).Get(ctx, name)
		if err != nil {
			a.miss("claims", "get", "persistentvolumeclaims", err)
			continue
		}
		v.Name = claim.Spec.VolumeName
		if v.Name == "" {
			v.Kind = "not bound to a volume"
			continue
		}
		volume, err := a.client.PersistentVolumes().Get(ctx, v.Name)
		if err != nil {
			a.miss("persistent volumes", "get", "persistentvolumes", err)
			continue
		}
		v.Kind, v.Nodes = kindOf(volume.Spec.PersistentVolumeSource), kube.NodesOf(volume.Spec.NodeAffinity)
	}
}

// lastWords returns the last lines of the terminated container, else of the running
// one.
func (a *asker) lastWords(ctx context.Context, p corev1.Pod, f Pod) []string {
	lines, bytes := int64(lastLines), int64(lastBytes)
	var text []byte
	var err error
	for _, previous := range []bool{f.State != "Error", false} {
		text, err = a.client.Log(ctx, p.Namespace, p.Name, &corev1.PodLogOptions{Container: f.Container, Previous: previous, TailLines: &lines, LimitBytes: &bytes})
		if err == nil && len(text) > 0 || !previous {
			break
		}
	}
	if err != nil && apierrors.IsForbidden(err) {
		a.miss("what containers printed last", "get", "pods/log", err)
	}
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// summary is the part of a kubelet's stats/summary that is used.
type summary struct {
	Pods []struct {
		PodRef struct{ Name, Namespace string }
		Volume []struct {
			AvailableBytes, CapacityBytes *int64
			PVCRef                        *struct{ Name, Namespace string }
		}
	}
}

// usage asks the kubelets of failing pods how full the volumes of their claims
// are.
func (a *asker) usage(ctx context.Context, failed []Pod) {
	type claim struct{ pod, name string }
	free, size := map[claim]int64{}, map[claim]int64{}
	asked := map[string]bool{}
	for _, p := range failed {
		if p.Node == "" || asked[p.Node] || len(asked) >= mostNodes || !slices.ContainsFunc(p.Volumes, func(v Volume) bool { return v.Claim != "" }) {
			continue
		}
		asked[p.Node] = true
		text, err := a.client.NodeStats(ctx, p.Node)
		var s summary
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			a.miss("how full volumes are", "get", "nodes/stats or nodes/proxy", err)
			continue
		}
		for _, pod := range s.Pods {
			for _, v := range pod.Volume {
				if v.PVCRef != nil && v.AvailableBytes != nil && v.CapacityBytes != nil {
					c := claim{pod.PodRef.Namespace + "/" + pod.PodRef.Name, v.PVCRef.Namespace + "/" + v.PVCRef.Name}
					free[c], size[c] = *v.AvailableBytes, *v.CapacityBytes
				}
			}
		}
	}
	for i := range failed {
		for j := range failed[i].Volumes {
			v := &failed[i].Volumes[j]
			c := claim{failed[i].Name, v.Claim}
			v.Free, v.Size = free[c], size[c]
		}
	}
}

// events returns the warnings since a.Since, oldest first.
func (a *asker) events(ctx context.Context) (lines []line) {
	namespace := ""
	if a.refused["pods of other namespaces"] {
		namespace = a.Namespace
	}
	all, err := pages(ctx, func(o metav1.ListOptions) ([]corev1.Event, string, error) {
		l, err := a.client.Events(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	}, metav1.ListOptions{FieldSelector: "type=" + corev1.EventTypeWarning}, mostEvents)
	if err != nil {
		a.miss("warnings", "list", "events", err)
		return nil
	}
	a.record("warnings", len(all), "")
	order.Stable(all, func(x, y corev1.Event) int { return lastSeen(x).Compare(lastSeen(y)) })
	for _, e := range all {
		if seen := lastSeen(e); !seen.IsZero() && seen.Before(a.Since) {
			continue
		}
		about := strings.ToLower(e.InvolvedObject.Kind) + " " + e.InvolvedObject.Name
		if e.InvolvedObject.Namespace != "" {
			about = strings.ToLower(e.InvolvedObject.Kind) + " " + e.InvolvedObject.Namespace + "/" + e.InvolvedObject.Name
		}
		node := e.Source.Host
		if e.InvolvedObject.Kind == "Node" {
			node = e.InvolvedObject.Name
		}
		lines = append(lines, line{node, stamp(lastSeen(e)) + about + " has " + e.Reason + ": " + strings.Join(strings.Fields(e.Message), " ")})
	}
	return lines
}

// lastSeen returns the time of an event's last occurrence.
func lastSeen(e corev1.Event) time.Time {
	switch {
	case e.Series != nil && !e.Series.LastObservedTime.IsZero():
		return e.Series.LastObservedTime.Time
	case !e.LastTimestamp.IsZero():
		return e.LastTimestamp.Time
	case !e.EventTime.IsZero():
		return e.EventTime.Time
	}
	return e.CreationTimestamp.Time
}

// read turns all lines into events, each pod's lines separately so that every pod
// is reported.
func (a *asker) read(nodes []line, failed []Pod, events []line) {
	r := read.New()
	give := func(name, host string, lines []string) {
		_ = r.Read(name, host, strings.NewReader(strings.Join(lines, "\n")+"\n")) // strings always read
	}
	for _, p := range failed {
		give("kubernetes: pod "+p.Name, a.host(p.Node), p.lines())
	}
	for _, part := range []struct {
		name  string
		lines []line
	}{{"kubernetes: nodes", nodes}, {"kubernetes: warnings", events}} {
		of := map[string][]string{}
		for _, l := range part.lines {
			of[l.node] = append(of[l.node], l.text)
		}
		for _, node := range slices.Sorted(maps.Keys(of)) {
			give(part.name, a.host(node), of[node])
		}
	}
	a.answer.Log = r.Log()
	for i, e := range a.answer.Log.Events {
		if pod, of := strings.CutPrefix(e.Source.File, "kubernetes: pod "); of && e.Device == "" {
			a.answer.Log.Events[i].Device = pod
		}
	}
	for _, p := range failed {
		for _, v := range p.Volumes {
			d := a.answer.Log.Stack.Device(a.host(p.Node), p.Name)
			d.Volume = strings.TrimPrefix(d.Volume+"; "+v.String(), "; ")
			if d.Transport == "" {
				d.Transport = transportOf(v.Kind)
			}
		}
	}
}

// transportOf returns the transport of a volume, if its kind reveals it.
func transportOf(kind string) incident.Transport {
	for _, t := range []struct {
		word string
		is   incident.Transport
	}{
		{"driver.longhorn.io", incident.ISCSI}, {"iSCSI ", incident.ISCSI}, {"rbd", incident.RBD}, {"Ceph RBD", incident.RBD},
		{"linstor", incident.DRBD}, {"mayastor", incident.NVMeOF}, {"nvmf", incident.NVMeOF}, {"Fibre Channel", incident.FC},
	} {
		if strings.Contains(kind, t.word) {
			return t.is
		}
	}
	return ""
}
