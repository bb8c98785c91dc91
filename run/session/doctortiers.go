package session

import (
	"context"
	"errors"
	"slices"

	"assay"
	"assay/inventory/cluster"
	"assay/run/tiers"
)

// TierDiagnosis is the result of examining one tier.
type TierDiagnosis struct {
	Tier    string   `json:"tier"`
	Checked []string `json:"checked"` // what was asked for, and is there
	Unasked []string `json:"unasked"` // what only a run finds out
	Error   string   `json:"error,omitempty"`
	Hint    string   `json:"hint,omitempty"`

	Err error `json:"-"` // why the tier cannot be measured
}

// examineTiers checks whether tiers could be deployed, and makes nothing. The
// diagnoses contain the problems; an error means that nothing could be checked.
func (s *Session) examineTiers(ctx context.Context) (all []TierDiagnosis, err error) {
	if err := s.reach(); err != nil {
		return nil, err
	}
	defer s.Close(ctx)
	c, err := ReadCluster(s.options.Cluster)
	if err != nil {
		return nil, err
	}
	chosen, err := s.chosenTiers(c)
	if err != nil {
		return nil, invalid(err)
	}
	ofPods := s.deployment.Check(ctx)
	for _, n := range s.deployment.Notes {
		s.note(n.Text)
	}
	for _, t := range chosen {
		all = append(all, examineTier(ctx, t, s.deployment, ofPods))
	}
	return all, nil
}

// examineTier returns what is known of one tier. ofPods is why pods could not be
// made.
func examineTier(ctx context.Context, t cluster.Tier, deployment *tiers.Deployment, ofPods error) TierDiagnosis {
	found := deployment.Examine(ctx, t, ofPods)
	d := TierDiagnosis{Tier: t.Name, Checked: append([]string{}, found.Checked...), Unasked: append([]string{}, found.Unasked...), Err: found.Err}
	if d.Err != nil {
		d.Error, d.Hint = d.Err.Error(), assay.Hint(d.Err)
	}
	return d
}

// tierErrors returns the errors, each once: tiers in pods share them.
func tierErrors(all []TierDiagnosis) error {
	var errs []error
	for _, d := range all {
		if d.Err != nil && !slices.Contains(errs, d.Err) {
			errs = append(errs, d.Err)
		}
	}
	return errors.Join(errs...)
}
