package winpath

import (
	"strings"
	"testing"
)

func TestValid(t *testing.T) {
	for path, want := range map[string]bool{
		`D:\bench`: true, `d:\`: true, `C:\Program Files\a.b\.assay-1`: true, `D:\it's; $(x) & %PATH%` + "`": true, `D:\Prüfung`: true,
		`D:`: false, `\bench`: false, `D:bench`: false, `D:/bench`: false, `D:\bench\`: false, `D:\\bench`: false, `D:\a\..\b`: false, `D:\a.`: false,
		`D:\a \b`: false, `D:\a"; Remove-Item`: false, `D:\a:b`: false, "D:\\a\nb": false, `\\server\share`: false, `\\.\PhysicalDrive0`: false, "": false,
		`D:\` + strings.Repeat("a", Longest): false,
	} {
		if Valid(path) != want || (Check(path) == nil) != want {
			t.Errorf("%q: valid is %v", path, !want)
		}
	}
}

func TestJoinAndSplit(t *testing.T) {
	for path, want := range map[string][2]string{`D:\a`: {`D:\`, "a"}, `D:\a\b`: {`D:\a`, "b"}} {
		dir, name := Split(path)
		if dir != want[0] || name != want[1] || Join(dir, name) != path {
			t.Errorf("%s: %q %q, %s", path, dir, name, Join(dir, name))
		}
	}
	if dir, name := Split("nothing"); dir != "" || name != "nothing" {
		t.Errorf("%q %q", dir, name)
	}
}
