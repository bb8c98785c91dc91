// Package storetest makes runs for testing the store and everything that runs
// pass through. It knows only the nouns.
package storetest

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"pgregory.net/rapid"

	"assay"
)

// AnyRun draws a run with that id. It walks the types themselves, so fields
// added to a noun are drawn, too. Trials have unique ids, repeats count from 0,
// and measurements have a metric; labels and remarks are valid.
func AnyRun(t *rapid.T, id string) assay.Run {
	var run assay.Run
	fill(t, reflect.ValueOf(&run).Elem())
	run.ID = id
	if run.Started.Year() > 2020 { // a run dated in the future is not imported
		run.Started = run.Started.AddDate(2020-run.Started.Year(), 0, 0)
	}
	run.Labels = rapid.MapOfN(labelNames, labelValues, 0, 2).Draw(t, "labels")
	for i := range run.Remarks {
		run.Remarks[i].Text = labelValues.Draw(t, "remark")
	}
	for i := range run.Results {
		r := &run.Results[i]
		r.Trial.ID = fmt.Sprintf("%s#%d", r.Trial.ID, i)
		for n := range r.Repeats {
			r.Repeats[n].N = n
			for k := range r.Repeats[n].Measurements {
				r.Repeats[n].Measurements[k].Metric += "m"
			}
		}
	}
	return run
}

var (
	floats = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
	words  = rapid.StringN(0, 12, -1)
	zones  = rapid.SampledFrom([]*time.Location{time.UTC, time.FixedZone("", 5*3600+1800), time.FixedZone("", -3600)})
)

// Labels and remarks are checked wherever they are read.
var (
	labelNames  = rapid.StringMatching(`[A-Za-z][A-Za-z0-9._-]{0,8}`)
	labelValues = rapid.StringMatching(`[!-)\+\--~äλ]([ -)\+\--~äλ]{0,10}[!-)\+\--~äλ])?`)
)

// fill draws a value for everything that v holds.
func fill(t *rapid.T, v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		// Year 1 to 9998; the zero time, too.
		sec := rapid.Int64Range(-62135596800, 253370764800).Draw(t, "s")
		*at = time.Unix(sec, rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).In(zones.Draw(t, "zone"))
		if at.Year() < 1 || rapid.Bool().Draw(t, "zero") {
			*at = time.Time{}
		}
		return
	case *assay.Bin:
		*at = assay.Bin{Upper: floats.Draw(t, "le"), Count: rapid.Int64Min(0).Draw(t, "n")}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Byte().Draw(t, "byte")))
	case reflect.Float64:
		v.SetFloat(floats.Draw(t, "float"))
	case reflect.String:
		v.SetString(words.Draw(t, "string"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(t, "len"), 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 2).Draw(t, "len") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key)
			fill(t, value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("no generator for %v", v.Type())
	}
}
