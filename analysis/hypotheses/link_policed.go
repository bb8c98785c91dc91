package hypotheses

const policedRemedy = "Look for a policer and for drops at the switch port of {host} on {network}, and give that port a longer queue or the senders a shaper"

// linkPolicedIn is a port that drops incoming packets above a rate instead of
// queueing them.
var linkPolicedIn = Hypothesis{
	ID: "link-policed-in", Layer: "network", Name: "a policer or short queue that drops incoming packets", Usual: 2,
	Slows:   slows(.75, Receives).and(.95, LosesReceived).and(seldom, Sends, LosesSent).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{{Ask: lossy, If: .98, Else: .1}, losesAbove},
	Decides: lossyDecides, Remedy: policedRemedy,
}

// linkPolicedOut is the same for outgoing packets.
var linkPolicedOut = Hypothesis{
	ID: "link-policed-out", Layer: "network", Name: "a policer or short queue that drops outgoing packets", Usual: 2,
	Slows:   slows(.75, Sends).and(.95, LosesSent).and(seldom, Receives, LosesReceived).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{{Ask: lossy, If: .98, Else: .1}, losesAbove},
	Decides: lossyDecides, Remedy: policedRemedy,
}
