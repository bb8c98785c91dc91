package term

import "assay/report/block"

// links says what stands out among the paths between hosts: a terminal draws no
// lines.
func (p *page) links(b block.Links) {
	if len(b.Said) == 0 {
		return
	}
	p.strong(b.Title, b.Aside)
	var said block.Blocks
	for _, s := range b.Said {
		said = append(said, s)
	}
	p.sentences(said)
}
