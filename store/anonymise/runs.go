package anonymise

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"assay/internal/lazyregexp"
)

// Learn searches a value of package assay (a Run, a Result, a Repeat) for data
// to replace. All of a file must be learnt before any of it is cleaned, its
// inventory first.
func (n *Names) Learn(v any) { n.learnValue(reflect.ValueOf(v), unclassified) }

// Clean returns a copy of a value of package assay with everything learnt, and
// everything with a recognisable form, replaced.
func Clean[T any](n *Names, v T) T {
	return n.clean(reflect.ValueOf(v), unclassified).Interface().(T)
}

func (n *Names) learnValue(v reflect.Value, c class) {
	switch v.Kind() {
	case reflect.String:
		n.learnString(v.String(), c)
	case reflect.Pointer:
		if !v.IsNil() {
			n.learnValue(v.Elem(), c)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			n.learnString(string(v.Bytes()), c)
			return
		}
		for i := range v.Len() {
			n.learnValue(v.Index(i), c)
		}
	case reflect.Map:
		for _, key := range sortedKeys(v) {
			n.learnString(key.String(), keyClass(c))
			n.learnValue(v.MapIndex(key), c)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			n.learnValue(v.Field(i), fieldClass(v.Type(), i))
		}
	}
}

func (n *Names) learnString(s string, c class) {
	switch c {
	case fixed:
		n.learnProduct(s)
		return
	case product:
		n.learnProduct(s)
	case measured:
		n.addDotted(s)
		n.learn(kindHost, s)
		return
	case host, addresses:
		n.learn(kindHost, s)
		return
	case serial:
		n.learn(kindSerial, s)
		return
	case place:
		file, _ := cutLine(s)
		n.learn(kindPlace, file)
	case file:
		n.learn(kindPlace, s)
		n.learnPath(s)
		return
	case nic:
		if !usualNIC.MatchString(s) {
			n.learnName(kindInterface, s)
		}
		return
	case name:
		n.learnName(kindName, s)
		return
	case own:
		n.learnName(kindOwn, s)
		return
	case chosen:
		if len(n.strange(s, ours)) > 0 {
			n.learnName(kindName, s)
		}
		return
	case address:
		if u, err := url.Parse(s); err == nil {
			n.learn(kindHost, u.Hostname())
		}
	case device:
		n.learnPath(s)
	case option:
		switch name, value, _ := strings.Cut(s, "="); name {
		case "username": // of SMB, as is domain
			n.learn(kindUser, value)
		case "domain":
			n.learnName(kindDomain, value)
		}
	case path:
		n.learnPath(s)
		if _, home, is := cutHome(s); is {
			n.saw(strings.ToLower(home))
			n.look(needle{lower: strings.ToLower(home), kind: kindHomePath, alone: true})
		}
	}
	for _, p := range phrases {
		for _, m := range p.form.FindAllStringSubmatch(s, -1) {
			n.learn(p.is, m[len(m)-1])
		}
	}
	for _, m := range account.FindAllStringSubmatch(s, -1) {
		if n.knows(kindHost, strings.ToLower(m[2])) {
			n.learn(kindUser, m[1])
		}
	}
}

func (n *Names) clean(v reflect.Value, c class) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		out := reflect.New(v.Type()).Elem()
		out.SetString(n.cleanString(v.String(), c))
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(n.clean(v.Elem(), c))
		return out
	case reflect.Slice:
		switch {
		case v.IsNil():
			return v
		case v.Type().Elem().Kind() == reflect.Uint8:
			return reflect.ValueOf([]byte(n.cleanString(string(v.Bytes()), c))).Convert(v.Type())
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(n.clean(v.Index(i), c))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range sortedKeys(v) {
			out.SetMapIndex(n.clean(key, keyClass(c)), n.clean(v.MapIndex(key), c))
		}
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		if v.Type() == reflect.TypeFor[time.Time]() {
			return out
		}
		for i := range v.NumField() {
			out.Field(i).Set(n.clean(v.Field(i), fieldClass(v.Type(), i)))
		}
		return out
	}
	return v
}

func (n *Names) cleanString(s string, c class) string {
	switch c {
	case fixed:
		return s
	case host, measured:
		return n.host(s)
	case addresses: // some are names
		return n.host(s)
	case serial:
		if s == "" || common[strings.ToLower(s)] {
			return s
		}
		return n.pseudonym(kindSerial, strings.TrimSpace(s))
	case output:
		return n.transcript(s)
	case prose:
		return n.prose(s)
	case option:
		if name, value, is := strings.Cut(s, "="); is {
			return name + "=" + n.prose(value)
		}
	case path:
		if before, home, is := cutHome(s); is {
			return n.text(before) + n.home(home)
		}
	case own:
		if s != "" {
			return n.pseudonym(kindOwn, s)
		}
	case file:
		if s != "" {
			return n.pseudonym(kindPlace, s)
		}
	case place:
		file, line := cutLine(s)
		if file != "" && !common[file] {
			return n.pseudonym(kindPlace, file) + line
		}
	}
	return n.text(s)
}

func fieldClass(t reflect.Type, i int) class { return fields[t.Name()+"."+t.Field(i).Name] }

// keyClass returns the class of the keys of a map of that class.
func keyClass(c class) class {
	if c == addresses {
		return host
	}
	return c
}

// cutHome splits a path at its home directory.
func cutHome(s string) (before, home string, is bool) {
	for _, word := range []string{"/home/", "/Users/"} {
		if i := strings.Index(s, word); i >= 0 && len(s) > i+len(word) {
			return s[:i], s[i:], true
		}
	}
	return s, "", false
}

var lineNumber = lazyregexp.New(`:\d+$`)

// cutLine splits file:line into file and line.
func cutLine(s string) (file, line string) {
	if at := lineNumber.FindStringIndex(s); at != nil {
		return s[:at[0]], s[at[0]:]
	}
	return s, ""
}

// sortedKeys returns the sorted keys of a map of strings, so that pseudonyms
// are assigned in a reproducible order.
func sortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return keys
}
