package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/inventory/cluster"
	"assay/run/tiers"
)

// tierLine is what the doctor found of one tier, as JSON has it.
type tierLine struct {
	Tier    string   `json:"tier"`
	Checked []string `json:"checked"` // what was asked for, and is there
	Unasked []string `json:"unasked"` // what only a run finds out
	Error   string   `json:"error,omitempty"`
	Hint    string   `json:"hint,omitempty"`

	err error
}

// patients says what of a cluster.yaml is looked at: its hosts with the words that
// choose among them, its tiers with theirs, or both.
func patients(at where) (hosts, storage *where, err error) {
	if at.cluster == "" {
		return &at, nil, nil
	}
	c, err := readCluster(at.cluster)
	if err != nil {
		return nil, nil, err
	}
	ofHosts, ofTiers, err := c.Sort(at.only)
	if err != nil {
		return nil, nil, usage(err)
	}
	all := len(at.only) == 0
	if len(ofTiers) > 0 || all && len(c.Tiers) > 0 {
		some := at
		some.tiers, some.only = true, ofTiers
		storage = &some
	}
	if len(ofHosts) > 0 || all && len(c.Hosts) > 0 || storage == nil {
		some := at
		some.only = ofHosts
		hosts = &some
	}
	return hosts, storage, nil
}

// diagnoseTiers looks whether tiers could be put in place, and makes nothing. What is
// wrong stands in the lines; an error says why nothing could be looked at.
func (a *app) diagnoseTiers(ctx context.Context, at where) (lines []tierLine, err error) {
	c, err := readCluster(at.cluster)
	if err != nil {
		return nil, err
	}
	chosen, err := at.chosenTiers(c)
	if err != nil {
		return nil, usage(err)
	}
	look, err := at.reach()
	if err != nil {
		return nil, err
	}
	defer look.close(ctx)
	ofPods := look.stage.Check(ctx)
	for _, n := range look.stage.Notes {
		fmt.Fprintf(a.stderr, "note: %s\n", n.Text)
	}
	for _, t := range chosen {
		lines = append(lines, examine(ctx, t, look.stage, ofPods))
	}
	return lines, nil
}

// examine says what is known of one tier. ofPods is why pods could not be made.
func examine(ctx context.Context, t cluster.Tier, stage *tiers.Stage, ofPods error) tierLine {
	l := tierLine{Tier: t.Name, Checked: []string{}, Unasked: []string{}}
	if t.InPods() {
		if l.err = ofPods; l.err == nil {
			l.Checked = checkedOf(t)
		}
		l.Unasked = append(l.Unasked, storageOf(t)...)
	}
	switch {
	case t.Directory != "":
		l.Unasked = append(l.Unasked, t.Directory+" on "+list(t.Hosts))
	case t.S3 != nil && len(t.Hosts) > 0:
		l.Unasked = append(l.Unasked, "endpoints, which "+list(t.Hosts)+" reaches")
	case t.S3 != nil && t.InPods():
		l.Unasked = append(l.Unasked, "endpoints, which its pod reaches")
	case t.S3 != nil:
		l.err = reachStore(ctx, t.Name, stage, &l)
		l.Unasked = append(l.Unasked, "keys")
	}
	if l.err != nil {
		l.Error, l.Hint = l.err.Error(), assay.Hint(l.err)
	}
	return l
}

// checkedOf is what the Kubernetes was asked for a tier's pods.
func checkedOf(t cluster.Tier) []string {
	words := []string{"rights"}
	for _, n := range t.Nodes {
		words = append(words, "node "+n)
	}
	switch {
	case t.PVC != nil && t.PVC.Class == "":
		words = append(words, "a default storage class")
	case t.PVC != nil:
		words = append(words, "storage class "+t.PVC.Class)
	case t.Ephemeral != nil && t.Ephemeral.Class != "":
		words = append(words, "storage class "+t.Ephemeral.Class)
	}
	return words
}

// storageOf is what of a node only its pod sees.
func storageOf(t cluster.Tier) []string {
	switch {
	case t.HostPath != "":
		return []string{t.HostPath}
	case t.Device != nil:
		return []string{t.Device.Path}
	}
	return nil
}

// reachStore reaches the endpoints of a store that this machine loads.
func reachStore(ctx context.Context, tier string, stage *tiers.Stage, l *tierLine) error {
	var errs []error
	for _, s := range stage.StoresHere() {
		if s.Name != tier {
			continue
		}
		for _, e := range s.Endpoints {
			if err := reachEndpoint(ctx, e, s.CA); err != nil {
				errs = append(errs, fmt.Errorf("tier %s: %s cannot be reached: %w", tier, e, err))
			} else {
				l.Checked = append(l.Checked, e+" can be reached")
			}
		}
	}
	return errors.Join(errs...)
}

// reaching bounds how long a connection may take.
const reaching = 10 * time.Second

// reachEndpoint makes a connection to an endpoint as the load does, with TLS where it
// has it; ca are certificates to trust beside the system's, PEM. Nothing is said over
// it.
func reachEndpoint(ctx context.Context, endpoint, ca string) error {
	u, err := url.Parse(endpoint)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reaching)
	defer cancel()
	dial := (&net.Dialer{}).DialContext
	port := "80"
	if u.Scheme == "https" {
		roots, err := x509.SystemCertPool()
		if err != nil {
			return err
		}
		if ca != "" {
			roots.AppendCertsFromPEM([]byte(ca))
		}
		dial = (&tls.Dialer{Config: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}).DialContext
		port = "443"
	}
	c, err := dial(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port)))
	if err != nil {
		return err
	}
	return c.Close()
}

// tierErrors are what is wrong, each once: the tiers in pods share it.
func tierErrors(lines []tierLine) error {
	var errs []error
	for _, l := range lines {
		if l.err != nil && !slices.Contains(errs, l.err) {
			errs = append(errs, l.err)
		}
	}
	return errors.Join(errs...)
}

// printTiersAlone prints what was found of tiers, where there is nothing of hosts.
func (a *app) printTiersAlone(lines []tierLine, storage *where) error {
	if len(lines) == 0 {
		return nil
	}
	return a.printDiagnoses(&session{cluster: storage.cluster}, lines)
}

func (a *app) printTiers(lines []tierLine) error {
	var rows [][]string
	for _, l := range lines {
		there := list(l.Checked)
		if l.err != nil {
			there = "no: " + strings.Join(strings.Fields(l.Error), " ")
		}
		rows = append(rows, []string{l.Tier, cmp.Or(there, "-"), cmp.Or(list(l.Unasked), "-")})
	}
	return a.printTable([]string{"tier", "is there", "only a run finds out"}, rows)
}
