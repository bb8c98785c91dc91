package userfacts

import (
	"reflect"
	"time"

	"assay"
)

// Merge returns what is known from both; where they differ, over wins. Drives,
// directories, pools, interfaces, sensors and tools are matched by name, those of
// over first. A number that is 0, a word that is "" and a false are unknown and do
// not override base. The result shares nothing with either.
func Merge(base, over assay.Facts) assay.Facts {
	merged, _ := merge(reflect.ValueOf(base), reflect.ValueOf(over)).Interface().(assay.Facts)
	return merged
}

// keys are the fields that identify an element of a list.
var keys = map[reflect.Type]string{
	reflect.TypeFor[assay.BlockDevice](): "Name",
	reflect.TypeFor[assay.DirFacts]():    "Path",
	reflect.TypeFor[assay.PoolFacts]():   "Name",
	reflect.TypeFor[assay.NICFacts]():    "Name",
	reflect.TypeFor[assay.Sensor]():      "Key",
	reflect.TypeFor[assay.ToolFacts]():   "Name",
	reflect.TypeFor[assay.MissingFact](): "Fact",
}

// whole are the types that are never merged by field: half of one link with
// half of another is not a link.
var whole = map[reflect.Type]bool{
	reflect.TypeFor[time.Time]():  true,
	reflect.TypeFor[assay.Link](): true,
}

func merge(base, over reflect.Value) reflect.Value {
	out := reflect.New(base.Type()).Elem()
	switch {
	case whole[base.Type()]:
		if over.IsZero() {
			over = base
		}
		out.Set(over)
	case base.Kind() == reflect.Struct:
		for i := range base.NumField() {
			out.Field(i).Set(merge(base.Field(i), over.Field(i)))
		}
	case base.Kind() == reflect.Pointer:
		out.Set(mergePointers(base, over))
	case base.Kind() == reflect.Map:
		out.Set(mergeMaps(base, over))
	case base.Kind() == reflect.Slice:
		out.Set(mergeLists(base, over))
	case over.IsZero():
		out.Set(base)
	default:
		out.Set(over)
	}
	return out
}

func mergePointers(base, over reflect.Value) reflect.Value {
	if base.IsNil() && over.IsNil() {
		return base
	}
	out := reflect.New(base.Type().Elem())
	switch {
	case over.IsNil():
		out.Elem().Set(merge(base.Elem(), base.Elem()))
	case base.IsNil() || base.Elem().Kind() != reflect.Struct:
		out.Elem().Set(merge(over.Elem(), over.Elem())) // a pointer to false is a known value
	default:
		out.Elem().Set(merge(base.Elem(), over.Elem()))
	}
	return out
}

func mergeMaps(base, over reflect.Value) reflect.Value {
	if base.IsNil() && over.IsNil() {
		return base
	}
	out := reflect.MakeMap(base.Type())
	for _, from := range []reflect.Value{base, over} {
		for it := from.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), it.Value())
		}
	}
	return out
}

func mergeLists(base, over reflect.Value) reflect.Value {
	if base.IsNil() && over.IsNil() {
		return base
	}
	key := keys[base.Type().Elem()]
	if key == "" {
		if over.Len() == 0 {
			over = base
		}
		return copied(over)
	}
	out := reflect.MakeSlice(base.Type(), 0, base.Len()+over.Len())
	at := map[string]int{}
	for i := range over.Len() {
		at[over.Index(i).FieldByName(key).String()] = i
		out = reflect.Append(out, merge(over.Index(i), over.Index(i)))
	}
	for i := range base.Len() {
		one := base.Index(i)
		if j, both := at[one.FieldByName(key).String()]; both {
			out.Index(j).Set(merge(one, out.Index(j)))
			continue
		}
		out = reflect.Append(out, merge(one, one))
	}
	return out
}

func copied(list reflect.Value) reflect.Value {
	out := reflect.MakeSlice(list.Type(), 0, list.Len())
	for i := range list.Len() {
		out = reflect.Append(out, merge(list.Index(i), list.Index(i)))
	}
	return out
}
