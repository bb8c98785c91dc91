package blame

import "assay/incident"

// nodeLost suggests what Kubernetes can't tell: why a node stopped reporting ready.
var nodeLost = Rule{ID: "node-lost", Title: "A node of Kubernetes is not ready", Check: func(c Case) []Cause {
	events := c.of(incident.NodeNotReady)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.NodeNotReady, incident.LeaseLost, incident.MountFailed, incident.PodCrash}, anywhere: true}
	as := func(layer incident.Layer, says, why, what, command string) Cause {
		x := base
		x.Layer, x.Says, x.Why, x.Next = layer, says, why, []Step{{what, command}}
		return x
	}
	starved := as(incident.OutOfMemory, "a node out of memory", "A node that is swapping heavily, or whose services the OOM killer has killed, stops reporting to the cluster; its container runtime may hang too.", "check what the OOM killer has killed and whether processes are still stalled on memory", "journalctl -k | grep -i oom; cat /proc/pressure/memory")
	slow := as(incident.Drive, "the node's disk, which is too slow or hangs", "Container runtimes wait for the disk whenever they list containers.", "check which device has I/O in flight, and none completing", "iostat -x 1 5; cat /proc/pressure/io")
	if says(events, "pleg was last seen") || says(events, "containerd.sock") || says(events, "sandbox name") || says(events, "container runtime is down") { // reported by the node itself
		return []Cause{starved, slow}
	}
	return []Cause{
		as(incident.Network, "the network between the node and the API server", "Kubernetes heard nothing from the node for 40 s or longer. A node that is off, or hangs, looks the same.", "check whether the node answers, and what its kubelet logged in that minute", "ping -c 3 NODE; ssh NODE journalctl -u kubelet -u k3s --since '1 hour ago'"),
		starved, slow,
	}
}}
