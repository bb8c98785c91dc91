# Looks at a directory, makes a scratch directory in it, or removes that.
# $given: Do (look, make, remove), Path, Parent, Name and Source.
function Trouble($word, $why) { Answer @{ Trouble = $word; Why = $why }; exit }
function IsLink($path) { ((Get-Item -LiteralPath $path -Force).Attributes -band [IO.FileAttributes]::ReparsePoint) -ne 0 }
# Who could put a link in the place of what is made: Everyone, Interactive, Authenticated Users, Users, Guests.
function Unsafe($dir) {
	for ($at = $dir; $at; $at = [IO.Path]::GetDirectoryName($at)) {
		if ((IsLink $at)) { return "$at is a link, a junction or a mount point" }
		foreach ($rule in (Get-Acl -LiteralPath $at).GetAccessRules($true, $true, [Security.Principal.SecurityIdentifier])) {
			$applies = ($rule.PropagationFlags -band [Security.AccessControl.PropagationFlags]::InheritOnly) -eq 0
			$deletes = ($rule.FileSystemRights -band [Security.AccessControl.FileSystemRights]::DeleteSubdirectoriesAndFiles) -ne 0
			if ($applies -and $deletes -and "$($rule.AccessControlType)" -eq 'Allow' -and @('S-1-1-0', 'S-1-5-4', 'S-1-5-11', 'S-1-5-32-545', 'S-1-5-32-546') -contains $rule.IdentityReference.Value) {
				return "anybody may rename what is in $at ($($rule.IdentityReference.Value))"
			}
		}
	}
}
function Space($dir) {
	$v = Get-Volume -DriveLetter $dir.Substring(0, 1)
	@{ Size = $v.Size; Free = $v.SizeRemaining; Source = $v.Path }
}
try {
	if (-not (Test-Path -LiteralPath $given.Parent -PathType Container)) { Trouble 'missing' "$($given.Parent) does not exist" }
	switch ($given.Do) {
		'look' { Answer (Space $given.Parent) }
		'make' {
			$why = Unsafe $given.Parent
			if ($why) { Trouble 'unsafe' $why }
			if (Test-Path -LiteralPath $given.Path) { Trouble 'there' "$($given.Path) is there already" }
			$acl = New-Object Security.AccessControl.DirectorySecurity
			$acl.SetAccessRuleProtection($true, $false)
			foreach ($sid in @('S-1-5-18', 'S-1-5-32-544', [Security.Principal.WindowsIdentity]::GetCurrent().User.Value)) {
				$acl.AddAccessRule((New-Object Security.AccessControl.FileSystemAccessRule((New-Object Security.Principal.SecurityIdentifier $sid), 'FullControl', 'ContainerInherit, ObjectInherit', 'None', 'Allow')))
			}
			[void][IO.Directory]::CreateDirectory($given.Path, $acl)
			if ((IsLink $given.Path)) { Trouble 'unsafe' "$($given.Path) was replaced by a link" }
			Answer @{ Made = $true }
		}
		'remove' {
			if (-not (Test-Path -LiteralPath $given.Path)) {
				$space = Space $given.Parent
				if ($given.Source -and $space.Source -ne $given.Source) { Trouble 'hidden' "$($given.Parent) is now on $($space.Source) and was on $($given.Source)" }
				Answer @{ Gone = $true }
				exit
			}
			# What a killed assay left running has files open there, and its name among its arguments.
			$killed = 0
			Get-CimInstance Win32_Process | Where-Object { $_.CommandLine -and $_.CommandLine.Contains($given.Name) -and $_.ProcessId -ne $PID } | ForEach-Object {
				Stop-Process -Id $_.ProcessId -Force -ErrorAction SilentlyContinue
				$killed++
			}
			$link = @(Get-Item -LiteralPath $given.Path -Force) + @(Get-ChildItem -LiteralPath $given.Path -Force) | Where-Object { ($_.Attributes -band [IO.FileAttributes]::ReparsePoint) -ne 0 } | Select-Object -First 1
			if ($link) { Trouble 'link' "$($link.FullName) is a link, a junction or a mount point" }
			for ($left = 20; ; $left--) {
				try { [IO.Directory]::Delete($given.Path, $true); break } catch { if ($left -le 0) { throw } }
				Start-Sleep -Milliseconds 500
			}
			Answer @{ Gone = -not (Test-Path -LiteralPath $given.Path); Killed = $killed }
		}
	}
} catch {
	Trouble 'failed' "$_"
}
