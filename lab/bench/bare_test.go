package main

import (
	"slices"
	"strings"
	"testing"
)

func TestBareArgvLacksOnlyWhatAssayNeeds(t *testing.T) {
	ran := strings.Fields("fio --name=x --filename=/srv/x --rw=randread --percentile_list=50:99 --output-format=json+ --status-interval=1 --eta=never")
	want := strings.Fields("fio --name=x --filename=/srv/x --rw=randread --percentile_list=50:99 --output-format=json --eta=never")
	if got := bareArgv(ran); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The documents are shortened by hand from what fio 3.33 prints.
func TestReadIOPS(t *testing.T) {
	got, err := readIOPS([]byte(`{"fio version": "fio-3.33", "jobs": [{"read": {"iops": 1000.5, "bw": 4002}}, {"read": {"iops": 10}}]}`))
	if err != nil || got != 1010.5 {
		t.Errorf("%v, %v", got, err)
	}
	for _, in := range []string{"", "fio: failed", `{}`, `{"jobs": [{"read": {"iops": 0}}]}`} {
		if got, err := readIOPS([]byte(in)); err == nil {
			t.Errorf("%q gave %v", in, got)
		}
	}
}
