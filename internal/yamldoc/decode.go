package yamldoc

import (
	"encoding"
	"errors"
	"math"
	"reflect"
	"slices"
	"time"
)

// Reader is a value that reads itself, where its type alone cannot describe it.
type Reader interface{ ReadYAML(Node) }

// Validator is a value that is checked after it was read without a fault: its parts
// may contradict each other.
type Validator interface{ Validate() error }

// Decode decodes the value into what into points to, over what is already there, so
// that defaults can be set beforehand. A value that does not fit is a fault.
//
// A struct takes the keys in the yaml tags of its fields, including those of
// embedded structs, and no others; a list takes each element once, a map any words
// and numbers. A string takes a word that is not a number; a type with UnmarshalText
// gets the text as written, and its error says what was expected.
func (n Node) Decode(into any) { n.decode(reflect.ValueOf(into).Elem()) }

// As returns the value as type T: see Decode.
func As[T any](n Node) T {
	var v T
	n.Decode(&v)
	return v
}

func (n Node) decode(v reflect.Value) {
	before := n.file.Faults()
	switch self := v.Addr().Interface().(type) {
	case Reader:
		self.ReadYAML(n)
	case encoding.TextUnmarshaler:
		n.unmarshal(self)
	case *time.Duration:
		*self = n.Duration()
	default:
		n.decodeKind(v)
	}
	if self, is := v.Addr().Interface().(Validator); is && n.file.Faults() == before {
		if err := self.Validate(); err != nil {
			n.FaultKey("%s: %w", n.name(), err)
		}
	}
}

func (n Node) unmarshal(into encoding.TextUnmarshaler) {
	word, ok := n.Word() // "" where it is none
	err := into.UnmarshalText([]byte(word))
	if err == nil && !ok {
		err = errors.New("a word")
	}
	if err != nil {
		n.Fault("%s is %s; expected %w", n.name(), n.Kind(), err)
	}
}

func (n Node) decodeKind(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		n.decode(v.Elem())
	case reflect.Struct:
		fields := map[string]func(Node){}
		addFields(fields, v)
		n.Fields(fields)
	case reflect.Slice:
		n.decodeList(v)
	case reflect.String:
		if word, ok := n.Text(); ok {
			v.SetString(word)
		}
	case reflect.Bool:
		v.SetBool(n.Truth())
	case reflect.Int:
		v.SetInt(int64(n.Integer(0, math.MaxInt32)))
	case reflect.Float64:
		v.SetFloat(n.Number())
	case reflect.Map:
		n.decodeMap(v)
	default:
		panic("yamldoc: unsupported type " + v.Type().String())
	}
}

func addFields(fields map[string]func(Node), v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := f.Tag.Get("yaml")
		switch {
		case key != "":
			fields[key] = func(n Node) { n.decode(v.Field(i)) }
		case f.Anonymous:
			addFields(fields, v.Field(i))
		}
	}
}

// decodeMap reads words, numbers and booleans as they are written.
func (n Node) decodeMap(v reflect.Value) {
	all := reflect.MakeMap(v.Type())
	for _, value := range n.Pairs() {
		all.SetMapIndex(reflect.ValueOf(value.Key), reflect.ValueOf(value.Written()))
	}
	v.Set(all)
}

func (n Node) decodeList(v reflect.Value) {
	all := reflect.MakeSlice(v.Type(), 0, 0)
	var seen []string
	for _, item := range n.Items() {
		before := n.file.Faults()
		one := reflect.New(v.Type().Elem()).Elem()
		item.decode(one)
		word, single := item.Word()
		switch {
		case n.file.Faults() > before:
		case single && slices.Contains(seen, word):
			item.Fault("%s: duplicate %s", n.name(), Clip(word))
		default:
			seen = append(seen, word)
			all = reflect.Append(all, one)
		}
	}
	v.Set(all)
}
