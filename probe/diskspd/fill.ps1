# Writes a file full, in order, with data that does not compress, and tells how much of it was
# written when the time was up. $given: File, Bytes and Seconds, 0 for no end. Its arguments do not
# name the file, so a clean-up cannot end it by that: the file may be removed, which ends it.
try {
	$block = New-Object byte[] 1048576
	$random = [Security.Cryptography.RandomNumberGenerator]::Create()
	$stream = [IO.File]::Open($given.File, 'OpenOrCreate', 'Write', 'Delete')
	$written = [long]0
	try {
		$watch = [Diagnostics.Stopwatch]::StartNew()
		while ($written -lt $given.Bytes -and [IO.File]::Exists($given.File) -and ($given.Seconds -le 0 -or $watch.Elapsed.TotalSeconds -lt $given.Seconds)) {
			$random.GetBytes($block)
			$stream.Write($block, 0, $block.Length)
			$written += $block.Length
			# What is left in the cache when the time is up would take a slow drive minutes more.
			if ($written % 33554432 -eq 0) { $stream.Flush($true) }
		}
		$stream.Flush($true)
	} finally { $stream.Close() }
	Answer @{ Written = $written }
} catch {
	Answer @{ Why = "$_" }
}
