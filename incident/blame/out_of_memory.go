package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

var outOfMemory = Rule{ID: "out-of-memory", Title: "Out of memory", Check: func(c Case) []Cause {
	events := c.of(incident.OOMCgroup, incident.OOM, incident.OOMHost)
	if len(events) == 0 {
		return c.noPages()
	}
	var hosts []string
	for _, e := range events {
		if !slices.Contains(hosts, e.Host) {
			hosts = append(hosts, e.Host)
		}
	}
	var found []Cause
	for _, host := range hosts {
		own := slices.DeleteFunc(slices.Clone(events), func(e incident.Event) bool { return e.Host != host })
		switch {
		case hasKind(own, incident.OOMHost):
			found = append(found, hostOutOfMemory(host, own))
		case !slices.ContainsFunc(own, ofKernel) && hasKind(events, incident.OOMHost):
			// Kubernetes says the same of a container that was killed because a host ran out.
		case hasKind(own, incident.OOMCgroup):
			found = append(found, limitReached(host, own))
		default:
			found = append(found, hostOutOfMemory(host, own))
		}
	}
	return found
}}

// ofKernel reports whether a line is more than Kubernetes' word for a killed container, which
// it uses whether the container's own limit was reached or the host ran out.
func ofKernel(e incident.Event) bool { return !strings.Contains(e.Text, "OOMKilled") }

func hostOutOfMemory(host string, events []incident.Event) Cause {
	return Cause{Layer: incident.OutOfMemory, Host: host, How: VeryLikely, Says: "the host ran out of memory, not a disk fault", Why: "Processes were killed to free memory.", Evidence: quote(4, events),
		Next:     []Step{{"check what used the memory when it happened", "journalctl -k | grep -A40 'invoked oom-killer' | less"}},
		explains: []incident.Kind{incident.OOM, incident.OOMHost, incident.OOMCgroup, incident.NoPages, incident.PodCrash, incident.NodeNotReady, incident.LeaseLost, incident.HungTask, incident.CPUStall, incident.ReplicaError, incident.EngineFault, incident.CephDown, incident.ISCSIConn, incident.ISCSIDead, incident.NoRoute, incident.MountFailed}}
}

func limitReached(host string, events []incident.Event) Cause {
	cause := hostOutOfMemory(host, events)
	cause.Says, cause.Why = "a pod or service hit its memory limit, not a disk fault", "The kernel killed a process of a group that reached its own limit; the host had memory left."
	cause.Next = []Step{{"find the pod, then raise its memory limit or fix its leak", "kubectl get pods -A -o json | jq -r '.items[] | select(.status.containerStatuses[]?.lastState.terminated.reason == \"OOMKilled\") | .metadata.name'"}}
	if !slices.ContainsFunc(events, ofKernel) {
		cause.Why = "Kubernetes says that a container was killed for its memory. As a rule it reached its own limit, but Kubernetes says the same if the host ran out."
		cause.Next = append(cause.Next, Step{"check whether its host ran out", "journalctl -k | grep -E 'CONSTRAINT_|Out of memory'"})
	}
	return cause
}

// noPages finds kernels that had no free page for an allocation that could not wait. If it
// needed several contiguous pages, memory may be fragmented rather than used up.
func (c *Case) noPages() []Cause {
	events := c.of(incident.NoPages)
	if len(events) == 0 {
		return c.programs()
	}
	cause := Cause{Layer: incident.OutOfMemory, Host: events[0].Host, How: Possible, Says: "the kernel had no free pages", Why: "The kernel needed contiguous memory at a moment when it could not wait, and found none. So the request failed: a packet was dropped, or a device was not set up.", Evidence: quote(4, events),
		Next: []Step{{"check the number of free blocks of each size, and raise vm.min_free_kbytes", "cat /proc/buddyinfo; sysctl vm.min_free_kbytes"}}, explains: []incident.Kind{incident.NoPages}}
	if single(events) && c.onlyOn(cause.Host, []incident.Kind{incident.NoPages, incident.NICDown, incident.NFSDown, incident.PodCrash, incident.HungTask}) {
		cause.How = VeryLikely
	}
	if cause.How == Possible && says(events, "page allocation failure") && c.onlyOn(cause.Host, []incident.Kind{incident.NoPages, incident.NICDown, incident.NFSDown, incident.PodCrash, incident.HungTask}) {
		cause.How = Likely
		cause.Why += " It asked for contiguous pages: there may be free memory, but fragmented."
	}
	if slices.ContainsFunc(events, notStarted) && c.onlyOn(cause.Host, []incident.Kind{incident.NoPages, incident.PodCrash, incident.HungTask}) {
		cause.How, cause.Says, cause.Why = Likely, "a machine without memory for another process or guest", "The system refused the memory that a new process or guest needs: too little is free, or a limit is reached."
	}
	return []Cause{cause}
}

// notStarted reports whether a process or guest was refused the memory it needs to start.
func notStarted(e incident.Event) bool {
	return slices.ContainsFunc([]string{"fork", "pc.ram", "guest memory", "clone", "start new thread"}, func(word string) bool { return strings.Contains(e.Text, word) })
}

// programs finds programs that ended because an allocation failed.
func (c *Case) programs() []Cause {
	events := c.of(incident.AppNoMemory)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.OutOfMemory, Host: events[0].Host, How: Possible, Says: "a program that used up the memory it may have", Why: "The program says that it was given no more memory: its own limit (as Java's heap has) or the machine's was reached.", Evidence: quote(3, events),
		Next: []Step{{"check its limit and what the machine has", "free -h; ps -eo rss,args --sort=-rss | head"}}, explains: []incident.Kind{incident.AppNoMemory, incident.PodCrash}}
	if c.only(cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}

// single reports whether a single-page allocation failed.
func single(events []incident.Event) bool {
	for _, e := range events {
		if strings.Contains(e.Text, "order:0") {
			return true
		}
	}
	return false
}
