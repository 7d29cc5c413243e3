package main

import "muniment/archive"

// commandOfArchive says how this program does the acts that several packages
// share and those of the archive, of accession and of its history.
var commandOfArchive = map[archive.Action]string{
	archive.DoInit:       "muniment init DIR, or muniment init . for this folder",
	archive.DoClone:      "muniment clone REMOTE DIR makes one",
	archive.DoAdd:        "muniment add PATH takes it in",
	archive.DoAddPath:    "muniment add %s",
	archive.DoSnapshot:   "muniment snapshot -m TEXT signs what was added",
	archive.DoStatus:     "muniment status shows what is staged",
	archive.DoLog:        "muniment log lists the snapshots",
	archive.DoTags:       "muniment tag lists the tags",
	archive.DoList:       "muniment ls lists what is here",
	archive.DoShow:       "muniment show %s",
	archive.DoCat:        "muniment cat prints the text",
	archive.DoSpans:      "muniment help spans explains addresses",
	archive.DoVerify:     "muniment verify says more",
	archive.DoListDamage: "muniment verify lists every damaged object",
	archive.DoRepair:     "muniment repair --from REMOTE brings back what is damaged or absent",
	archive.DoDoctor:     "muniment doctor checks the disk, the store and the ledger",
	archive.DoFetch:      "muniment fetch brings an existing copy up to date",
	archive.DoListKeys:   "muniment key list shows the keys that can sign",
	archive.DoTrustKey:   "muniment key trust FILE.pub --enrol trusts a key, from the next snapshot on",
	archive.DoNewAuditor: "muniment key new --auditor %s",
}
