package dmidecode

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Channels counts the populated memory channels of 64 data bits, by the
// firmware's slot names. slots includes empty slots, which have no Bytes. It
// returns 0 if the names do not tell, because a count that is too low would make
// a true bandwidth look impossible.
//
// It understands, in this order:
//
//   - "channel" with a letter or a number in the bank or the locator:
//     "ChannelA-DIMM0", "Controller1-ChannelB", "P0 CHANNEL A",
//     "P0_Node0_Channel0_Dimm0", "NODE 1 CHANNEL 2 DIMM 0".
//   - "DIMM" with a letter and a number: "DIMM_A1", "P1-DIMMA1", "CPU1_DIMM_B2",
//     where the letter is the channel. Not where any slot of the machine has a
//     number above 2: there (Dell's servers: A1 to A12) the letter is the socket.
//   - "DIMM A" and "DIMM B" in a machine with just these two slots.
//   - one module alone: one channel, whatever its name.
//
// A controller, node or socket in either name is part of the channel's name.
// "BANK 0" alone means nothing: vendors count banks in different ways. LPDDR is
// soldered in channels of 16 or 32 bits, and two to four of these make one of 64.
func Channels(slots []assay.DIMM) int {
	var populated []assay.DIMM
	for _, s := range slots {
		if s.Bytes > 0 {
			populated = append(populated, s)
		}
	}
	if len(populated) == 0 {
		return 0
	}
	for _, name := range []func(assay.DIMM) string{channelWord, letterOf(slots), letterOfTwo(slots)} {
		if n := count64(populated, name); n > 0 {
			return n
		}
	}
	if len(populated) == 1 && !isLPDDR(populated[0]) {
		return 1
	}
	return 0
}

// count64 returns the total width of the distinct channels in units of 64 bits;
// 0 if any module's channel or any LPDDR channel's width is unknown.
func count64(populated []assay.DIMM, name func(assay.DIMM) string) int {
	widths := map[string]int{}
	for _, d := range populated {
		channel := name(d)
		if channel == "" {
			return 0
		}
		width := 64 // a DIMM's, even if DDR5's two halves are listed separately
		if isLPDDR(d) {
			if width = d.Width; width == 0 {
				return 0
			}
		}
		widths[channel] = max(widths[channel], width)
	}
	bits := 0
	for _, w := range widths {
		bits += w
	}
	return (bits + 63) / 64
}

func isLPDDR(d assay.DIMM) bool { return strings.HasPrefix(d.Type, "LPDDR") }

var (
	wordChannel = lazyregexp.New(`(?i)channel[ _-]*([a-z]|\d+)(?:[^a-z]|$)`)
	wordOwner   = lazyregexp.New(`(?i)(controller|mc|node|cpu|proc|processor|p)[ _-]*(\d+)`)
	dimmLetter  = lazyregexp.New(`(?i)dimm[ _-]*([a-z])[ _-]?(\d+)$`)
	dimmAlone   = lazyregexp.New(`(?i)^(?:so-?)?dimm[ _-]*([ab])$`)
)

func channelWord(d assay.DIMM) string {
	for _, text := range []string{d.Bank, d.Locator} {
		if m := wordChannel.FindStringSubmatch(text); m != nil {
			return owner(d) + strings.ToUpper(m[1])
		}
	}
	return ""
}

// letterOf returns the rule for "DIMM_A1" on a machine with these slots.
func letterOf(slots []assay.DIMM) func(assay.DIMM) string {
	for _, s := range slots {
		if m := dimmLetter.FindStringSubmatch(s.Locator); m != nil && m[2] != "0" && m[2] != "1" && m[2] != "2" {
			return func(assay.DIMM) string { return "" }
		}
	}
	return func(d assay.DIMM) string {
		if m := dimmLetter.FindStringSubmatch(d.Locator); m != nil {
			return owner(d) + strings.ToUpper(m[1])
		}
		return ""
	}
}

// letterOfTwo returns the rule for "DIMM A" and "DIMM B".
func letterOfTwo(slots []assay.DIMM) func(assay.DIMM) string {
	return func(d assay.DIMM) string {
		if m := dimmAlone.FindStringSubmatch(d.Locator); m != nil && len(slots) <= 2 {
			return strings.ToUpper(m[1])
		}
		return ""
	}
}

// owner returns the controller, node and socket that a channel belongs to.
func owner(d assay.DIMM) string {
	var b strings.Builder
	for _, text := range []string{d.Bank, d.Locator} {
		for _, m := range wordOwner.FindAllStringSubmatch(text, -1) {
			b.WriteString(strings.ToLower(m[1]) + m[2] + "/")
		}
	}
	return b.String()
}
