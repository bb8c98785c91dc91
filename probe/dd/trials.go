package dd

import (
	"fmt"
	"maps"

	"assay"
	"assay/internal/setting"
)

const (
	// mostScratch bounds both files together: more would wear the drive for a
	// figure that repeated passes over the same file give as well.
	mostScratch = 1 << 30
	// leastScratch is two files of 16 MiB: with less, the fixed costs of one
	// flush are what is measured.
	leastScratch = 32 * mib
	// unknownMemory is the available memory that is assumed if it is unknown.
	unknownMemory = 512 * mib
)

// settings is a case's settings, read and checked.
type settings struct {
	op   string
	size int64 // B of one file; 0: auto
}

func readSettings(r *setting.Reader) (settings, error) {
	s := settings{
		op:   r.Choice("op", opWrite, opReadCold, opReadWarm),
		size: r.SizeOr(auto, "size", 0, leastFile, 1<<40),
	}
	return s, r.Err()
}

// Trials returns one trial for each directory.
func (probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if c.On != assay.KindDirectory {
		return nil, fmt.Errorf("case %s: dd measures directories, not %q", c.Name, c.On)
	}
	set, err := readSettings(setting.Of(c.Name, c.Set))
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, s := range inv.Of(assay.KindDirectory) {
		trials = append(trials, trialOn(inv.Facts[s.Host], s, c, set.size))
	}
	return trials, nil
}

func trialOn(facts assay.Facts, s assay.Subject, c assay.Case, size int64) assay.Trial {
	t := assay.Trial{
		ID:       "dd/" + c.Name + "@" + s.ID,
		Probe:    "dd",
		Case:     c.Name,
		Title:    c.Title,
		Subject:  s,
		Settings: map[string]string{"size": auto, "source": "urandom"},
		Claims:   s.Claims(), // including the CPU: dd copies every byte
		Risk:     assay.Writes,
		Volume:   "dir",
	}
	maps.Copy(t.Settings, c.Set)
	if c.Set["op"] == opReadCold {
		t.Settings["drop"] = "0"
		if facts.DropCaches {
			t.Settings["drop"] = "1"
		}
	}
	dir := facts.Dir(s.Name)
	if dir != nil && dir.FileSystem != "" {
		t.Settings["file_system"] = dir.FileSystem
	}
	t.Scratch, t.Absent = scratchFor(facts, dir, s, size)
	return t
}

// scratchFor returns the bytes for both files, or why there are none.
func scratchFor(facts assay.Facts, dir *assay.DirFacts, s assay.Subject, size int64) (int64, *assay.Absence) {
	switch {
	case dir == nil:
		return 0, absent(assay.Unknown, "no facts were collected about the directory "+s.Name, "list it as a directory of host "+s.Host)
	case !dir.Exists:
		return 0, absent(assay.Failed, "there is no directory "+s.Name, "mkdir "+s.Name)
	case !dir.Writable:
		return 0, absent(assay.Failed, "the directory "+s.Name+" is not writable", "use a directory that this user can write to")
	}
	free := dir.Free - assay.KeepFree(dir.Bytes)
	most := min(mostScratch, memoryAvailable(facts)/2, free)
	if size > 0 {
		most = free
	}
	want := max(2*size, leastScratch)
	if most >= want {
		if size > 0 {
			return want, nil
		}
		return most / mib * mib, nil
	}
	why := fmt.Sprintf("%s: %d MiB available, %d MiB needed", s.Name, max(most, 0)/mib, want/mib)
	hint := "free some memory"
	if most == free {
		hint = "free some space: 10 % of the file system, at most 2 GiB, is kept free"
	}
	return 0, absent(assay.Failed, why, hint)
}

func memoryAvailable(facts assay.Facts) int64 {
	switch {
	case facts.Memory.Available > 0:
		return facts.Memory.Available
	case facts.Memory.Total > 0:
		return facts.Memory.Total / 2
	}
	return unknownMemory
}

func absent(word assay.AbsenceWord, why, hint string) *assay.Absence {
	return &assay.Absence{Word: word, Why: why, Hint: hint}
}
