package main

import (
	"muniment/accession"
	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/history"
)

// commandOfArchive says how this program does the acts that several packages
// share and those of the archive, of accession and of its history.
var commandOfArchive = map[problem.Action]string{
	problem.DoInit:             "muniment init DIR, or muniment init . for this folder",
	problem.DoClone:            "muniment clone REMOTE DIR makes one",
	problem.DoAdd:              "muniment add PATH takes it in",
	problem.DoAddPath:          "muniment add %s",
	problem.DoSnapshot:         "muniment snapshot -m TEXT signs what was added",
	problem.DoStatus:           "muniment status shows what is staged",
	problem.DoLog:              "muniment log lists the snapshots",
	problem.DoTags:             "muniment tag lists the tags",
	problem.DoList:             "muniment ls lists what is here",
	problem.DoShow:             "muniment show %s",
	problem.DoCat:              "muniment cat prints the text",
	problem.DoSpans:            "muniment help spans explains addresses",
	problem.DoVerify:           "muniment verify says more",
	problem.DoListDamage:       "muniment verify lists every damaged object",
	problem.DoRepair:           "muniment repair mends what this copy alone can; with --from REMOTE it brings back what is damaged or absent",
	problem.DoNamePayloadStore: "muniment remote payloads s3://BUCKET/PREFIX --endpoint URL names it",
	problem.DoCheckPayloads:    "muniment verify --remote-payloads lists what is absent or wrong there",
	problem.DoUnlock:           "muniment doctor --fix shows the lock, and removes it when you say so",
	problem.DoIndex:            "muniment index waits until everything can be searched",
	problem.DoDoctor:           "muniment doctor checks the disk, the store and the ledger",
	problem.DoFetch:            "muniment fetch brings an existing copy up to date",
	problem.DoListKeys:         "muniment key list shows the keys that can sign",
	problem.DoTrustKey:         "muniment key trust FILE.pub --enrol trusts a key, from the next snapshot on",
	problem.DoNewAuditor:       "muniment key new --auditor %s makes one",

	problem.DoLookInto:        "muniment -C %s status shows it",
	problem.DoNameArchive:     "choose a shorter name of ordinary characters with --name",
	problem.DoReadInitOptions: "dates are EDTF, as 1901-03-04, 1901-03, 1901~ or 1880/1890; consent is open or closed; muniment init --help",
	problem.DoFindArchive:     "muniment init DIR makes one; -C DIR or MUNIMENT_DIR names one",
	problem.DoOpenFolder:      "name the folder that holds " + archive.StoreDir + ": -C %s",
	problem.DoGiveBundle:      "give the file that ask -o wrote, or its unpacked folder",
	problem.DoVerifyBundle:    "muniment verify says what is wrong with it",
	problem.DoShowReason:      "muniment show %s says why",
	problem.DoCatOlder:        "muniment cat --at SNAPSHOT prints what an older snapshot holds",
	problem.DoCatBytes:        "muniment cat writes the bytes",
	problem.DoCatSpan:         "spans count in the canonical text; leave --original out",
	problem.DoChooseRecord:    "give the record's id: muniment show lists them",
	problem.DoChooseName:      "name the file: muniment show lists the names of %s",
	problem.DoDraftRoot:       "muniment key trust --root DIR begins one for this archive",
	problem.DoMakeTrust:       "muniment key trust makes them",
	problem.DoTag:             "muniment tag makes signed ones",
	problem.DoProveLog:        "muniment log prove writes one",
	logref.DoCheckLogs:        "muniment log check says more",

	accession.DoNamePaths:           "muniment add PATH…",
	accession.DoNamePiped:           "muniment add - --name FILE says what standard input is",
	accession.DoNameMediaType:       "give a type as --media-type text/html or --media-type 'text/plain; charset=windows-1250'",
	accession.DoNameCharset:         "if letters are wrong, add it with --media-type 'text/plain; charset=NAME'",
	accession.DoReinstate:           "muniment add --reinstate takes it in again",
	accession.DoAllowSecrets:        "muniment add --allow-secrets takes it all the same",
	accession.DoAddPrivate:          "save the page as a file and add the file, or, if you trust that host: muniment add --allow-private %s",
	accession.DoKeepQuery:           "give the address without it, or keep it in the record for ever: muniment add --keep-query ADDRESS",
	accession.DoIgnoreRobots:        `save the page as a file and add the file, or state why you may: muniment add --ignore-robots "REASON" %s`,
	accession.DoAddSource:           `muniment source add --url https://example.org/a --title "…" keeps a record alone`,
	accession.DoUnstage:             "muniment unstage NAME, or muniment unstage --all",
	accession.DoTakeDates:           "muniment describe %q --take-dates takes it over",
	accession.DoDescribe:            `muniment describe NAME --title "…", or muniment describe --from FILE.csv`,
	accession.DoReadDescribeOptions: "muniment describe --help says what each field may be",
	accession.DoReadSourceOptions:   "muniment source add --help",

	history.DoConsent:              "muniment consent NAME --preset auditor-only; --default sets it for all others",
	history.DoReadConsentOptions:   "muniment consent --help",
	history.DoSetCategoryRule:      "muniment consent --category health --rule hidden",
	history.DoSetPersonState:       `muniment consent --person "Ines Roth" --state sealed`,
	history.DoSetTier:              "muniment consent --tier researcher --excerpt 280 --daily 20000",
	history.DoWithdraw:             "muniment withdraw and hold stage what may be",
	history.DoGiveReason:           `muniment withdraw NAME --reason "asked by the family" --authority "board, 3 May"`,
	history.DoHold:                 `muniment hold NAME --reason "litigation" --authority "District Court"`,
	history.DoListHolds:            "muniment hold lists what is held",
	history.DoReleaseHold:          "muniment hold --release %s takes the hold away, when its authority agrees",
	history.DoCountersignWithOther: "countersign with another key: --key FILE",
	history.DoListCountersigners:   "muniment log shows who countersigned",
	history.DoAwaitCountersign:     "sign with a key that may withdraw, or give --await-countersign and let one countersign: muniment snapshot --countersign --key FILE",
	history.DoWiden:                "muniment consent or describe mends it; where it is meant: muniment snapshot -m TEXT --widen",
	history.DoDiff:                 "muniment diff 3..5, or muniment diff 3 for what came after it",
	history.DoVerifyOther:          "muniment verify in that copy says more",
	history.DoEnrolInScope:         "enrol in it with --auditor %s, or give the new scope its own leaf kinds with --holds source,chunk",
	history.DoGiveText:             "give 1 to 4096 bytes of plain text with -m; no line may begin with Muniment- or -----BEGIN",
	history.DoNameAuthor:           `--author "Ada Vale <ada@example.org>"`,
	history.DoChooseTagName:        "muniment tag 2024-05, or muniment tag deposit-1",
}

// addHints puts the words of this program into the result of an add, before it
// is printed.
func addHints(r *accession.AddResult) {
	for i := range r.Skipped {
		if s := &r.Skipped[i]; !s.Next.IsZero() {
			s.Suggestion = hintOf(s.Next)
		}
	}
	for i := range r.Artifacts {
		if one := &r.Artifacts[i]; !one.Next.IsZero() {
			one.Note += ": " + hintOf(one.Next)
		}
	}
}
