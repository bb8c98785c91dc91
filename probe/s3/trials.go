package s3

import (
	"fmt"
	"time"

	"assay"
)

// Trials returns one trial for every bucket. Unknown or invalid settings are an
// error that names the case and the key.
func (probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if err := c.Check(name, assay.KindBucket, "buckets"); err != nil {
		return nil, err
	}
	s, err := readSettings(c.Name, c.Set)
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, subject := range inv.Of(assay.KindBucket) {
		t, err := trialOn(inv, c, s, subject)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", c.Name, err)
		}
		trials = append(trials, t)
	}
	return trials, nil
}

func trialOn(inv assay.Inventory, c assay.Case, s settings, subject assay.Subject) (assay.Trial, error) {
	t := assay.Trial{
		ID: name + "/" + c.Name + "@" + subject.ID, Probe: name, Case: c.Name, Title: c.Title, Subject: subject,
		Claims: subject.Claims(), Risk: assay.Writes, Volume: subject.Volume,
		Length: time.Duration(c.Seconds * float64(time.Second)),
		// Starting the agent twice, and connecting.
		Overhead: time.Second,
	}
	if t.Volume == "" {
		t.Volume = volume
	}
	if subject.Store == nil || len(subject.Store.Endpoints) == 0 {
		t.Absent = &assay.Absence{Word: assay.Unknown, Why: fmt.Sprintf("the endpoint of %s is unknown", subject.Name),
			Hint: "add its endpoints to cluster.yaml"}
		t.Settings = s.resolved()
		return t, nil
	}
	if s.jobs == 0 {
		s.jobs = max(1, min(4, inv.Facts[subject.Host].CPU.Threads)) // as fio does
	}
	if s.read == cold && s.storeMemory == 0 {
		s.storeMemory = memoryOf(inv, *subject.Store)
	}
	if s.read != cold {
		s.storeMemory = 0 // warm reads do not depend on it
	}
	seconds := c.Seconds
	if c.Longest > seconds {
		seconds = c.Longest
	}
	bound, err := s.fit(seconds)
	t.Settings, t.Scratch = s.resolved(), bound
	return t, err
}
