package lazyregexp

import "regexp/syntax"

// depth is how many bytes of a text are checked before the expression itself is
// tried: nearly every line of a long log fails at one of them.
const depth = 6

// opening holds the bytes possible at each position of a match that can only be
// at the beginning of a text; nil if unknown.
type opening []*[256]bool

// openingOf derives it from an expression. A position is known as long as no match
// can be complete before it.
func openingOf(pattern string) opening {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	at, anchored := closure(prog, []uint32{uint32(prog.Start)}, true)
	if !anchored {
		return nil
	}
	var o opening
	for len(o) < depth {
		var can [256]bool
		var next []uint32
		for _, pc := range at {
			inst := &prog.Inst[pc]
			if inst.Op == syntax.InstMatch {
				return o
			}
			allow(&can, inst)
			next = append(next, inst.Out)
		}
		o = append(o, &can)
		at, _ = closure(prog, next, false)
	}
	return o
}

// closure follows instructions that consume nothing. At the start of an expression
// it reports whether every path requires the beginning of the text.
func closure(prog *syntax.Prog, from []uint32, start bool) (all []uint32, anchored bool) {
	type state struct {
		pc       uint32
		anchored bool
	}
	seen := map[state]bool{}
	anchored = true
	var follow func(s state)
	follow = func(s state) {
		if seen[s] {
			return
		}
		seen[s] = true
		inst := &prog.Inst[s.pc]
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			follow(state{inst.Out, s.anchored})
			follow(state{inst.Arg, s.anchored})
		case syntax.InstCapture, syntax.InstNop:
			follow(state{inst.Out, s.anchored})
		case syntax.InstEmptyWidth:
			follow(state{inst.Out, s.anchored || syntax.EmptyOp(inst.Arg)&syntax.EmptyBeginText != 0})
		case syntax.InstFail:
		default:
			anchored = anchored && s.anchored
			all = append(all, s.pc)
		}
	}
	for _, pc := range from {
		follow(state{pc, !start})
	}
	return all, anchored
}

// allow adds the bytes that an instruction can match first.
func allow(can *[256]bool, inst *syntax.Inst) {
	wide := inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL
	for b := range 0x80 {
		if inst.MatchRune(rune(b)) {
			can[b] = true
		}
	}
	if inst.Op == syntax.InstRune || inst.Op == syntax.InstRune1 {
		// With case folding, an ASCII letter may match a non-ASCII one.
		wide = syntax.Flags(inst.Arg)&syntax.FoldCase != 0
		for _, r := range inst.Rune {
			wide = wide || r >= 0x80
		}
	}
	if wide {
		for b := 0x80; b < 0x100; b++ {
			can[b] = true
		}
	}
}

// begins reports whether a text can match, judging by its first bytes. From the
// first non-ASCII letter on, bytes are not letters.
func begins[T string | []byte](o opening, text T) bool {
	for i, can := range o {
		if i >= len(text) || !can[text[i]] {
			return false
		}
		if text[i] >= 0x80 {
			return true
		}
	}
	return true
}
