# ask ADDRESS PORT WORDS: prints what is answered.
use Socket;
my ($at, $port, @words) = @ARGV;
socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!;
connect($s, sockaddr_in($port, inet_aton($at))) or die $!;
send $s, "@words", 0;
my $ready = '';
vec($ready, fileno $s, 1) = 1;
select($ready, undef, undef, 5) > 0 or die "no answer\n";
recv $s, my $answer, 4096, 0;
print $answer;
