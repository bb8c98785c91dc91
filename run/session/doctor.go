package session

import (
	"context"
	"errors"
	"slices"

	"assay"
	"assay/internal/version"
	"assay/plan"
	"assay/plan/suite"
)

// Diagnosis is what can be measured, and what cannot and why.
type Diagnosis struct {
	Down  []Down          `json:"down"` // hosts that could not be queried
	Hosts []HostDiagnosis `json:"hosts"`
	Tiers []TierDiagnosis `json:"tiers,omitempty"`
	// Lacking is the number of hosts that still lack tools that Install was to
	// install.
	Lacking int `json:"-"`
}

// Down is a host that could not be queried.
type Down struct {
	Host string `json:"host"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}

// HostDiagnosis is what can be measured on one host.
type HostDiagnosis struct {
	Host    string              `json:"host"`
	Tools   []Tool              `json:"tools"`
	Absent  []Unmeasurable      `json:"absent"`  // what the suites cannot measure here
	Missing []assay.MissingFact `json:"missing"` // facts that the audit will lack
}

// Tool is the state of a tool that probes need on a host.
type Tool struct {
	Tool    string   `json:"tool"`
	Probes  []string `json:"probes"`
	Path    string   `json:"path,omitempty"`
	Version string   `json:"version,omitempty"`
	State   string   `json:"state"` // ok, missing, too old
	Hint    string   `json:"hint,omitempty"`
}

// Unmeasurable is a case of a suite that cannot be measured on a host.
type Unmeasurable struct {
	Suite string `json:"suite"`
	Case  string `json:"case"`
	assay.Absence
}

// Examine checks which tools are missing and what cannot be measured, for all suites,
// and installs missing tools on request. It uses only the options Target, Install,
// Confirm and Tell. It checks the hosts and tiers of a cluster, and creates nothing.
//
// The diagnosis is valid even if the error is not nil: a problem with a tier does not
// hide what was found on the hosts.
func Examine(ctx context.Context, o Options) (Diagnosis, error) {
	d := Diagnosis{Down: []Down{}, Hosts: []HostDiagnosis{}}
	hosts, storage, err := patients(o)
	if err != nil {
		return d, err
	}
	var terr error
	if storage != nil {
		if d.Tiers, terr = storage.examineTiers(ctx); terr == nil {
			terr = tierErrors(d.Tiers)
		}
	}
	if hosts == nil {
		if o.Install {
			storage.note("no host to install tools on: in pods, tools come with the image")
		}
		return d, terr
	}
	return d, errors.Join(terr, hosts.examineHosts(ctx, &d))
}

// patients returns the sessions that examine the hosts and the tiers of a target;
// nil for one that is not wanted.
func patients(o Options) (hosts, storage *Session, err error) {
	o.Suite = suite.Suite{}
	if o.Cluster == "" {
		return newSession(o), nil, nil
	}
	c, err := ReadCluster(o.Cluster)
	if err != nil {
		return nil, nil, err
	}
	ofHosts, ofTiers, err := c.Sort(o.Only)
	if err != nil {
		return nil, nil, invalid(err)
	}
	all := len(o.Only) == 0
	if len(ofTiers) > 0 || all && len(c.Tiers) > 0 {
		some := o
		some.Suite.Tiers, some.Only = true, ofTiers
		storage = newSession(some)
	}
	if len(ofHosts) > 0 || all && len(c.Hosts) > 0 || storage == nil {
		some := o
		some.Only = ofHosts
		hosts = newSession(some)
	}
	return hosts, storage, nil
}

// examineHosts stores the diagnosis of the hosts in d, after installing missing
// tools if requested.
func (s *Session) examineHosts(ctx context.Context, d *Diagnosis) error {
	if err := s.reach(); err != nil {
		return err
	}
	defer s.Close(ctx)
	if err := s.look(ctx); err != nil {
		return err
	}
	suites, err := suite.All()
	if err != nil {
		return err
	}
	var ierr error
	if s.options.Install {
		d.Lacking, ierr = s.install(ctx, suites)
		if ctx.Err() != nil {
			return ierr
		}
	}
	for _, n := range s.foreseen {
		s.note(n.Text)
	}
	for _, h := range s.inventory.Hosts {
		f, asked := s.inventory.Facts[h.Name]
		if s.clones.Unmade(h.Name) {
			continue
		}
		if !asked {
			why := s.down[h.Name]
			d.Down = append(d.Down, Down{h.Name, why.Error(), assay.Hint(why)})
			continue
		}
		one, err := s.examineHost(f, suites)
		if err != nil {
			return errors.Join(ierr, err)
		}
		d.Hosts = append(d.Hosts, one)
	}
	return ierr
}

func (s *Session) examineHost(f assay.Facts, suites []suite.Suite) (HostDiagnosis, error) {
	d := HostDiagnosis{Host: f.Host, Tools: s.toolsOn(f), Absent: []Unmeasurable{}, Missing: f.Missing}
	if d.Missing == nil {
		d.Missing = []assay.MissingFact{}
	}
	for _, one := range suites {
		if !slices.ContainsFunc(one.Cases, func(c assay.Case) bool { return len(s.inventory.Of(c.On)) > 0 }) {
			continue // one machine has no links
		}
		p, err := plan.Make(s.inventory, one, s.probes, plan.Options{Seed: 1})
		if err != nil {
			return d, err
		}
		for _, t := range p.Trials {
			if t.Absent != nil && t.Subject.Host == f.Host {
				d.Absent = append(d.Absent, Unmeasurable{one.Name, t.Probe + "/" + t.Case + " on " + t.Subject.Name, *t.Absent})
			}
		}
	}
	return d, nil
}

// toolsOn returns the state of all probes' tools on a host.
func (s *Session) toolsOn(f assay.Facts) []Tool {
	var all []Tool
	index := map[string]int{}
	for _, p := range s.probes {
		spec := p.Spec()
		if !spec.Systems.Include(f.OS.Windows) {
			continue
		}
		spared := plan.Spared(f, spec, s.probes)
		for _, need := range spec.Tools {
			if i, seen := index[need.Name]; seen {
				all[i].Probes = append(all[i].Probes, spec.Name)
				continue
			}
			index[need.Name] = len(all)
			have := f.Tool(need.Name)
			t := Tool{Tool: need.Name, Probes: []string{spec.Name}, Path: have.Path, Version: have.Version, State: "ok"}
			switch {
			case have.Path == "" && (need.Optional || spared):
				t.State, t.Hint = "missing, not needed", plan.InstallHint(need, f)
			case have.Path == "":
				t.State, t.Hint = "missing", plan.InstallHint(need, f)
			case version.Older(have.Version, need.Least):
				t.State, t.Hint = "too old, "+need.Least+" is needed", plan.InstallHint(need, f)
			}
			all = append(all, t)
		}
	}
	return all
}
