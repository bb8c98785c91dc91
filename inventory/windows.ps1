# What a Windows host is, asked in one go. It only reads. What cannot be had is in Missing.
# $given: Dirs and Tools. A volume that is mounted in a directory is not looked for: nothing is lent behind one.
$missing = New-Object System.Collections.ArrayList
function Ask($fact, $how) {
	try { & $how } catch { [void]$missing.Add(@{ Fact = $fact; Why = "$_" }) }
}
$os = Ask 'operating system' { Get-CimInstance Win32_OperatingSystem | Select-Object -Property @('Caption', 'Version', 'CSName', 'TotalVisibleMemorySize', 'FreePhysicalMemory', @{ n = 'Booted'; e = { $_.LastBootUpTime.ToUniversalTime().ToString('o') } }) }
$system = Ask 'machine' { Get-CimInstance Win32_ComputerSystem | Select-Object -Property @('Manufacturer', 'Model', 'HypervisorPresent') }
$bios = Ask 'BIOS' { Get-CimInstance Win32_BIOS | Select-Object -Property @('SMBIOSBIOSVersion') }
$cpus = @(Ask 'CPU' { Get-CimInstance Win32_Processor | Select-Object -Property @('Name', 'Manufacturer', 'NumberOfCores', 'NumberOfLogicalProcessors', 'MaxClockSpeed', 'L2CacheSize', 'L3CacheSize') })
$media = @{}
Ask 'kind of drives' { Get-PhysicalDisk | ForEach-Object { $media["$($_.DeviceId)"] = $_ } }
$disks = @(Ask 'disks' { Get-Disk | ForEach-Object {
	$p = $media["$($_.Number)"]
	$cache = $null
	if ($p) { try { $cache = $p | Get-StorageAdvancedProperty } catch { } }
	@{
		Number = $_.Number; FriendlyName = "$($_.FriendlyName)"; Model = "$($_.Model)"; SerialNumber = "$($_.SerialNumber)"; FirmwareVersion = "$($_.FirmwareVersion)"
		BusType = "$($_.BusType)"; Size = $_.Size; IsReadOnly = $_.IsReadOnly; MediaType = "$($p.MediaType)"; SpindleSpeed = $p.SpindleSpeed
		IsDeviceCacheEnabled = $cache.IsDeviceCacheEnabled; IsPowerProtected = $cache.IsPowerProtected
	}
} })
$nics = @(Ask 'network interfaces' { Get-NetAdapter | ForEach-Object {
	@{ Name = $_.Name; Description = $_.InterfaceDescription; Status = "$($_.Status)"; Speed = $_.ReceiveLinkSpeed; MTU = $_.MtuSize; Virtual = $_.Virtual }
} })
$dirs = @($given.Dirs | ForEach-Object {
	$d = $_
	$it = @{ Path = $d; Exists = (Test-Path -LiteralPath $d -PathType Container) }
	if ($it.Exists) {
		Ask "file system of $d" {
			$letter = $d.Substring(0, 1)
			$v = Get-Volume -DriveLetter $letter
			$it.Source = $v.Path; $it.FileSystem = "$($v.FileSystemType)"; $it.Size = $v.Size; $it.Free = $v.SizeRemaining
			$it.Mount = $d.Substring(0, 3)
			$it.Attributes = "$((Get-Item -LiteralPath $d -Force).Attributes)"
			$it.Disks = @(Get-Partition -DriveLetter $letter | ForEach-Object { $_.DiskNumber })
		}
	}
	$it
})
$tools = @($given.Tools | ForEach-Object {
	$it = @{ Name = $_ }
	$found = Get-Command -Name "$_.exe" -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
	if ($found) {
		$it.Path = $found.Path
		$ErrorActionPreference = 'Continue'
		$said = (& $found.Path --version 2>&1 | Out-String)
		$it.Says = $said.Substring(0, [Math]::Min(2000, $said.Length))
	}
	$it
})
$me = New-Object Security.Principal.WindowsPrincipal ([Security.Principal.WindowsIdentity]::GetCurrent())
Answer @{
	OS = $os; System = $system; BIOS = $bios; CPUs = $cpus; Arch = $env:PROCESSOR_ARCHITECTURE; Disks = $disks; NICs = $nics; Dirs = $dirs; Tools = $tools
	Admin = $me.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator); Missing = @($missing)
}
