$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
function Answer($it) {
	$text = ConvertTo-Json -InputObject $it -Depth 6 -Compress
	[Console]::Out.Write('@@' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($text)) + '@@')
}
$given = ConvertFrom-Json ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('GIVEN')))
