# Tells how long a file is, and cuts one that is longer than that. $given: File and Bytes.
try {
	$stream = [IO.File]::Open($given.File, 'Open', 'ReadWrite', 'Read')
	try {
		if ($given.Bytes -gt 0 -and $stream.Length -gt $given.Bytes) { $stream.SetLength($given.Bytes) }
		$length = $stream.Length
	} finally { $stream.Close() }
	Answer @{ Length = $length; Attributes = "$([IO.File]::GetAttributes($given.File))" }
} catch {
	Answer @{ Why = "$_" }
}
