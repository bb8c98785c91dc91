package dmidecode

import (
	"os"
	"strings"
	"testing"

	"assay"
	"assay/limits"
)

// slotsOf makes slots from "locator|bank"; one with a leading "-" is empty.
func slotsOf(typ string, width int, names ...string) []assay.DIMM {
	var out []assay.DIMM
	for _, name := range names {
		name, empty := strings.CutPrefix(name, "-")
		locator, bank, _ := strings.Cut(name, "|")
		d := assay.DIMM{Locator: locator, Bank: bank, Type: typ, Width: width, Bytes: 8 << 30}
		if empty {
			d.Bytes = 0
		}
		out = append(out, d)
	}
	return out
}

func TestChannels(t *testing.T) {
	ddr4 := func(names ...string) []assay.DIMM { return slotsOf("DDR4", 64, names...) }
	for name, c := range map[string]struct {
		slots []assay.DIMM
		want  int
	}{
		"no slots":                   {nil, 0},
		"all empty":                  {ddr4("-ChannelA-DIMM0|BANK 0"), 0},
		"Lenovo, Intel client":       {ddr4("ChannelA-DIMM0|BANK 0", "ChannelB-DIMM0|BANK 2"), 2},
		"two in one channel":         {ddr4("ChannelA-DIMM0|BANK 0", "ChannelA-DIMM1|BANK 1", "-ChannelB-DIMM0|BANK 2"), 1},
		"four in two":                {ddr4("ChannelA-DIMM0|BANK 0", "ChannelA-DIMM1|BANK 1", "ChannelB-DIMM0|BANK 2", "ChannelB-DIMM1|BANK 3"), 2},
		"Intel 11th, two controller": {ddr4("Controller0-ChannelA-DIMM0|BANK 0", "Controller1-ChannelA-DIMM0|BANK 0"), 2},
		"Intel without DIMM":         {ddr4("Controller0-ChannelA|BANK 0"), 1},
		"AMD":                        {ddr4("DIMM 0|P0 CHANNEL A", "DIMM 0|P0 CHANNEL B"), 2},
		"AMD, second slots":          {ddr4("-DIMM 0|P0 CHANNEL A", "DIMM 1|P0 CHANNEL A", "-DIMM 0|P0 CHANNEL B", "DIMM 1|P0 CHANNEL B"), 2},
		"Supermicro":                 {ddr4("P1-DIMMA1|P0_Node0_Channel0_Dimm0", "P1-DIMMB1|P0_Node0_Channel1_Dimm0", "P2-DIMMA1|P1_Node1_Channel0_Dimm0"), 3},
		"Intel server board":         {ddr4("DIMM_A1|NODE 0 CHANNEL 0 DIMM 0", "DIMM_A3|NODE 0 CHANNEL 0 DIMM 2", "DIMM_J1|NODE 1 CHANNEL 2 DIMM 0"), 2},
		"ASUS":                       {ddr4("-DIMM_A1|BANK 0", "DIMM_A2|BANK 1", "-DIMM_B1|BANK 2", "DIMM_B2|BANK 3"), 2},
		"letters per CPU":            {ddr4("CPU1_DIMM_A1|NODE 1", "CPU1_DIMM_B1|NODE 1", "CPU2_DIMM_A1|NODE 2"), 3},
		"Supermicro DDR3":            {ddr4("P1_DIMMA1|Node0_Bank0", "P1_DIMMB1|Node0_Bank0"), 2},
		"new MSI":                    {ddr4("Controller0-DIMMA2|BANK 0", "Controller1-DIMMB2|BANK 0"), 2},
		"Dell laptop":                {ddr4("DIMM A|", "DIMM B|"), 2},
		"Dell laptop, half full":     {ddr4("-DIMM A|", "DIMM B|"), 1},
		"Dell server, DDR3":          {ddr4("DIMM_A1|", "DIMM_A2|", "DIMM_A3|", "-DIMM_A4|"), 0},
		"Dell server":                {ddr4("A1|", "A2|", "B1|", "B2|"), 0},
		"banks alone":                {ddr4("DIMM0|BANK 0", "DIMM1|BANK 1"), 0},
		"nodes and banks":            {ddr4("Node0_Dimm0|Node0_Bank0", "Node0_Dimm1|Node0_Bank0"), 0},
		"one module":                 {ddr4("-J1|", "J2|"), 1},
		"one of two is not told":     {ddr4("ChannelA-DIMM0|BANK 0", "J2|BANK 1"), 0},
		"LPDDR5, 4 x 32 bits":        {slotsOf("LPDDR5", 32, "DIMM 0|P0 CHANNEL A", "DIMM 0|P0 CHANNEL B", "DIMM 0|P0 CHANNEL C", "DIMM 0|P0 CHANNEL D"), 2},
		"LPDDR4, 8 x 16 bits": {slotsOf("LPDDR4", 16, "Controller0-ChannelA|", "Controller0-ChannelB|", "Controller0-ChannelC|", "Controller0-ChannelD|",
			"Controller1-ChannelA|", "Controller1-ChannelB|", "Controller1-ChannelC|", "Controller1-ChannelD|"), 2},
		"LPDDR without a width": {slotsOf("LPDDR5", 0, "DIMM 0|P0 CHANNEL A"), 0},
		"one LPDDR, no name":    {slotsOf("LPDDR5", 32, "Onboard|"), 0},
		"DDR5 told by halves":   {slotsOf("DDR5", 32, "Controller0-ChannelA-DIMM0|BANK 0", "Controller1-ChannelA-DIMM0|BANK 0"), 2},
	} {
		if got := Channels(c.slots); got != c.want {
			t.Errorf("%s: %d channels, want %d", name, got, c.want)
		}
	}
}

func TestSlots(t *testing.T) {
	for name, want := range map[string]struct {
		modules  int
		bytes    int64
		channels int
		ceiling  float64
	}{
		"legion5":      {2, 24 << 30, 2, 2 * 8 * 3200e6},
		"nuc11":        {2, 32 << 30, 2, 2 * 8 * 3200e6},
		"thinkpad2014": {1, 4 << 30, 1, 8 * 1333e6},
	} {
		raw, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		slots := Slots(strings.Split(string(raw), "\n"))
		m := assay.MemoryFacts{DIMMs: slots, Channels: Channels(slots)}
		total := int64(0)
		for _, d := range slots {
			total += d.Bytes
		}
		if len(slots) != want.modules || total != want.bytes || m.Channels != want.channels || limits.Memory(m).Value != want.ceiling {
			t.Errorf("%s: %d modules, %d B, %d channels, %g B/s; want %+v", name, len(slots), total, m.Channels, limits.Memory(m).Value, want)
		}
	}
}

// What udev records at boot, available to users who are not root, too; the
// format of dmi_memory_id of systemd 252, written by hand.
func TestFromUdev(t *testing.T) {
	slots := FromUdev(strings.Split(`E:MEMORY_ARRAY_LOCATION=System Board Or Motherboard
E:MEMORY_DEVICE_0_PRESENT=0
E:MEMORY_DEVICE_0_LOCATOR=DIMM 0
E:MEMORY_DEVICE_0_BANK_LOCATOR=P0 CHANNEL A
E:MEMORY_DEVICE_1_DATA_WIDTH=64
E:MEMORY_DEVICE_1_SIZE=17179869184
E:MEMORY_DEVICE_1_LOCATOR=DIMM 1
E:MEMORY_DEVICE_1_BANK_LOCATOR=P0 CHANNEL A
E:MEMORY_DEVICE_1_TYPE=DDR4
E:MEMORY_DEVICE_1_SPEED_MTS=3600
E:MEMORY_DEVICE_1_CONFIGURED_SPEED_MTS=3000`, "\n"))
	want := assay.DIMM{Locator: "DIMM 1", Bank: "P0 CHANNEL A", Bytes: 16 << 30, Type: "DDR4", MTs: 3000, Rated: 3600, Width: 64}
	if len(slots) != 2 || slots[0].Bytes != 0 || slots[1] != want || Channels(slots) != 1 {
		t.Errorf("slots %+v, %d channels", slots, Channels(slots))
	}
}
