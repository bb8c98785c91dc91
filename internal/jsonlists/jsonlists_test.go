package jsonlists

import (
	"encoding/json"
	"testing"
	"time"
)

type tree struct {
	Name   string    `json:"name"`
	When   time.Time `json:"when"`
	Points [][2]int  `json:"points"`
	Below  []tree    `json:"below"`
	One    *tree     `json:"one,omitempty"`
}

func TestNoListIsNull(t *testing.T) {
	before := tree{Name: "a", Below: []tree{{Points: [][2]int{{1, 2}}}}, One: &tree{}}
	text, err := json.Marshal(NeverNull(before))
	if err != nil {
		t.Fatal(err)
	}
	const when = `"when":"0001-01-01T00:00:00Z"`
	want := `{"name":"a",` + when + `,"points":[],"below":[{"name":"",` + when + `,"points":[[1,2]],"below":[]}],"one":{"name":"",` + when + `,"points":[],"below":[]}}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if before.Points != nil || before.Below[0].Below != nil || before.One.Points != nil {
		t.Error("the original was changed")
	}
}
