package s3_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/lab/garage"
	"assay/place/local"
	"assay/probe/s3"
	"assay/volume/bucket"
)

// bed is a bucket lent on a place, for the probe.
type bed struct {
	t       *testing.T
	at      assay.Place
	subject assay.Subject
	scratch assay.Scratch
}

const tokenEnv = "ASSAY_TEST_GARAGE_TOKEN"

// lend returns a bucket of a Garage, reached through these endpoints, until t
// ends.
func lend(t *testing.T, l *garage.Lab, endpoints ...string) *bed {
	t.Helper()
	return lendOn(t, l, local.New("box", ""), "0123456789abcdef", endpoints...)
}

func lendOn(t *testing.T, l *garage.Lab, at assay.Place, id string, endpoints ...string) *bed {
	t.Helper()
	address, token := l.Admin()
	t.Setenv(tokenEnv, token)
	if len(endpoints) == 0 {
		endpoints = l.Endpoints()
	}
	host := at.Host().Name
	b := &bed{t: t, at: at, subject: assay.Subject{
		ID: host + "/bucket/s3", Kind: assay.KindBucket, Host: host, Name: "s3", Volume: bucket.Kind, Tier: "s3",
		Store: &assay.ObjectStore{Name: "s3", Endpoints: endpoints, Region: garage.Region,
			Garage: &assay.GarageAdmin{Address: address, Token: "env " + tokenEnv}},
	}}
	v := bucket.New(nil)
	r, err := v.Reserve(context.Background(), nil, b.subject, assay.Request{ID: id, Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		if err := v.Release(ctx, at, r); err != nil {
			t.Error(err)
		}
		if left, err := l.Buckets(ctx); err != nil || len(left) > 0 {
			t.Errorf("left: %q, %v", left, err)
		}
		if left, err := l.Keys(ctx); err != nil || len(left) > 0 {
			t.Errorf("left: %q, %v", left, err)
		}
	})
	if b.scratch, err = v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return b
}

// trial returns a case on the bed's bucket.
func (b *bed) trial(name string, seconds float64, set map[string]string) assay.Trial {
	b.t.Helper()
	all, err := s3.New().Trials(assay.Inventory{Subjects: []assay.Subject{b.subject}},
		assay.Case{Probe: "s3", Name: name, Title: name, On: assay.KindBucket, Set: set, Seconds: seconds})
	if err != nil || len(all) != 1 || all[0].Absent != nil {
		b.t.Fatal(all, err)
	}
	return all[0]
}

func (b *bed) bench() assay.Bench { return assay.Bench{Place: b.at, Scratch: b.scratch} }

// run prepares a trial and runs it once.
func (b *bed) run(t assay.Trial) assay.Transcript {
	b.t.Helper()
	b.ready(t)
	tr, err := s3.New().Run(b.t.Context(), t, b.bench())
	if err != nil {
		b.t.Fatal(err, assay.Hint(err))
	}
	return tr
}

// until is run for a long trial that ends in the second in which something has
// happened.
func (b *bed) until(t assay.Trial, happened func() bool) assay.Transcript {
	b.t.Helper()
	b.ready(t)
	on := b.bench()
	on.Enough = func(assay.Sample) bool { return happened() }
	tr, err := s3.New().Run(b.t.Context(), t, on)
	if err != nil {
		b.t.Fatal(err, assay.Hint(err))
	}
	return tr
}

// ready prepares a trial for a repeat, as the engine does.
func (b *bed) ready(t assay.Trial) {
	b.t.Helper()
	if _, err := s3.New().(assay.RepeatPreparer).PrepareRepeat(b.t.Context(), t, b.bench()); err != nil {
		b.t.Fatal(err, assay.Hint(err))
	}
}

// measured holds the measurements of a transcript, at least one.
type measured struct {
	t   *testing.T
	all []assay.Measurement
}

func parse(t *testing.T, tr assay.Transcript) measured {
	t.Helper()
	all, err := s3.New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	known := s3.New().Spec().Metrics
	for _, m := range all {
		if d, ok := assay.Describe(m.Metric); !ok || d.Unit != m.Unit || !slices.Contains(known, m.Metric) {
			t.Errorf("%s in %s is not in the vocabulary", m.Metric, m.Unit)
		}
	}
	return measured{t, all}
}

// of returns the first measurement of a metric.
func (m measured) of(metric string) assay.Measurement {
	m.t.Helper()
	for _, one := range m.all {
		if one.Metric == metric {
			return one
		}
	}
	m.t.Fatalf("there is no %s", metric)
	return assay.Measurement{}
}

func (m measured) has(metric string) bool {
	return slices.ContainsFunc(m.all, func(one assay.Measurement) bool { return one.Metric == metric })
}

func notes(tr assay.Transcript) map[string]string {
	all := map[string]string{}
	for _, n := range s3.New().(assay.Noter).Notes(tr) {
		all[n.ID] = n.Text
	}
	return all
}
