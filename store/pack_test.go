package store

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
)

func TestSeriesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOf(rapid.Custom(func(t *rapid.T) assay.Sample {
			return assay.Sample{At: floats.Draw(t, "at"), Value: floats.Draw(t, "value")}
		})).Draw(t, "samples")
		blob, err := packSamples(samples)
		if err != nil {
			t.Fatal(err)
		}
		got, err := newRoom().samples(blob)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]assay.Sample(nil), samples...), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestEmptySeriesIsNoBlob(t *testing.T) {
	samples, err1 := packSamples([]assay.Sample{})
	bins, err2 := packHistogram(nil)
	if samples != nil || bins != nil || err1 != nil || err2 != nil {
		t.Errorf("%v %v %v %v", samples, bins, err1, err2)
	}
}

func FuzzUnpack(f *testing.F) {
	good, err := packSamples([]assay.Sample{{At: 1, Value: 2}, {At: 2, Value: 3}})
	if err != nil {
		f.Fatal(err)
	}
	odd, err := pack(make([]byte, 17))
	if err != nil {
		f.Fatal(err)
	}
	transcript, err := packTranscript(repeatNumber(1).Transcript)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{good, odd, transcript, {}, []byte("(\xb5/\xfd"), good[:len(good)-1]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, blob []byte) {
		_, err1 := newRoom().samples(blob)
		_, err2 := newRoom().histogram(blob)
		_, err3 := newRoom().transcript(blob)
		for _, err := range []error{err1, err2, err3} {
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("%v", err)
			}
		}
	})
}

func TestOddSeriesIsDamaged(t *testing.T) {
	odd, err := pack(make([]byte, 17))
	must(t, err)
	if got, err := newRoom().samples(odd); !errors.Is(err, ErrDamaged) {
		t.Errorf("17 bytes gave %v, %v", got, err)
	}
}
