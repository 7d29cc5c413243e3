package main

import (
	"reflect"
	"strings"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/inventory"
	"muniment/archive/logref"
	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/audit"
	"muniment/audit/certificate"
	"muniment/audit/examination"
	"muniment/bundle"
	"muniment/bundle/evidence"
	"muniment/custody"
	"muniment/draft"
	"muniment/engine"
	"muniment/handover"
	"muniment/history"
	"muniment/internal/release"
	"muniment/server"
	"muniment/server/pages"
	"muniment/text/legible"
)

// messages holds the types of the documents that --json prints, by the NAME in their
// "schema": "muniment.NAME.v1". A name with several types has one document or another.
var messages = map[string][]reflect.Type{
	"add":               {of[accession.AddResult]()},
	"answerlog":         {of[logList]()},
	"answers":           {of[answer.KeptResult]()},
	"ask":               {of[answer.Result]()},
	"bib":               {of[engine.BibResult]()},
	"bind":              {of[answer.Result]()},
	"budget":            {of[answer.BudgetInfo]()},
	"bundle":            {of[audit.BundleInfo]()},
	"bundle-export":     {of[audit.PageInfo]()},
	"cat":               {of[inventory.CatResult]()},
	"certificate":       {of[certificate.Certificate]()},
	"check":             {of[draft.CheckResult]()},
	"check-results":     {of[draft.ResultsCheck]()},
	"checkpoint":        {of[audit.ProveResult]()},
	"citation":          {of[engine.CitationInfo]()},
	"citation_export":   {of[exportedFile]()},
	"citation_import":   {of[engine.CitationsImportResult]()},
	"citations":         {of[citationList]()},
	"cite":              {of[engine.CiteResult]()},
	"claims":            {of[claimList]()},
	"clone":             {of[custody.CloneResult]()},
	"consent":           {of[history.ConsentResult]()},
	"cosign":            {of[history.CountersignResult]()},
	"demo":              {of[demoResult]()},
	"describe":          {of[accession.DescribeResult]()},
	"diff":              {of[history.DiffResult]()},
	"disclose":          {of[audit.BundleInfo]()},
	"doctor":            {of[checkList]()},
	"error":             {of[errorMessage]()},
	"examination":       {of[examination.Report]()},
	"examinations":      {of[examinedList]()},
	"export":            {of[handover.BagExportResult](), of[custody.GitBundleResult](), of[handover.WebArchiveResult](), of[pages.SiteResult]()},
	"fetch":             {of[custody.FetchResult]()},
	"finding_aid":       {of[exportedFile]()},
	"fixity":            {of[audit.FixityResult](), of[actList]()},
	"gc":                {of[gcResult]()},
	"help":              {of[helpPage](), of[commandList]()},
	"hold":              {of[history.HoldResult]()},
	"import":            {of[importedBag]()},
	"import_package":    {of[importedPackage]()},
	"index":             {of[search.IndexResult]()},
	"init":              {of[initResult]()},
	"join":              {of[archive.SnapshotResult]()},
	"key":               {of[keyResult]()},
	"key-second":        {of[secondResult]()},
	"keys":              {of[keyList]()},
	"ledger":            {of[ledgerCopy]()},
	"link":              {of[engine.LinkResult]()},
	"log":               {of[server.SnapshotList]()},
	"man":               {of[manResult]()},
	"ls":                {of[artifactList](), of[withdrawnList]()},
	"ls-table":          {of[inventory.TableResult]()},
	"open":              {of[audit.OpenResult]()},
	"pack":              {of[draft.PackResult]()},
	"paper-log":         {of[history.PaperLogResult]()},
	"persons":           {of[history.PersonsResult]()},
	"profile":           {of[draft.ProfileInfo]()},
	"profile-freeform":  {of[tierList]()},
	"profile-policy":    {of[history.PolicyText]()},
	"profiles":          {of[profileList]()},
	"proof":             {of[audit.ParagraphProof](), of[audit.ArtifactProof](), of[audit.ProveResult]()},
	"push":              {of[custody.PushResult]()},
	"receipts":          {of[receiptList]()},
	"refusals":          {of[answer.RefusalsResult]()},
	"registered-source": {of[engine.RegisteredSource]()},
	"remote-add":        {of[custody.RemoteInfo]()},
	"remote-list":       {of[remoteList]()},
	"remote-payloads":   {of[payloadStore]()},
	"remote-remove":     {of[custody.RemoteInfo]()},
	"repair":            {of[repairReport]()},
	"repair-payloads":   {of[custody.PayloadRepairResult]()},
	"reread":            {of[accession.RereadResult]()},
	"review":            {of[engine.ReviewResult]()},
	"reviews":           {of[reviewList]()},
	"root":              {of[rootResult]()},
	"search":            {of[search.Result]()},
	"search-record":     {of[engine.SearchRecord]()},
	"segment":           {of[draft.SegmentResult]()},
	"serve":             {of[serveResult]()},
	"show":              {of[inventory.ShowResult]()},
	"sign":              {of[audit.BundleInfo]()},
	"snapshot":          {of[archive.SnapshotResult]()},
	"source":            {of[accession.SourceInfo]()},
	"source_import":     {of[engine.SourcesImportResult]()},
	"sources":           {of[sourceList]()},
	"status":            {of[history.StatusResult]()},
	"sync":              {of[custody.SyncResult]()},
	"syntheses":         {of[synthesisList]()},
	"synthesis":         {of[draft.SynthesisResult]()},
	"tag":               {of[tagList]()},
	"token":             {of[newToken](), of[revokedToken]()},
	"tokens":            {of[tokenList]()},
	"tools":             {of[[]map[string]any]()},
	"trust":             {of[keyResult]()},
	"unstage":           {of[accession.UnstageResult]()},
	"upgrade":           {of[audit.UpgradeReport]()},
	"verify":            {of[audit.ArchiveVerdict](), of[audit.BundleVerdict](), of[audit.ProofVerdict](), of[evidence.Verdict](), of[pages.SiteVerdict](), of[bundle.Report]()},
	"version":           {of[release.Build]()},
	"why":               {of[engine.WhyResult]()},
	"why-answer":        {of[audit.AnswerReasons]()},
	"withdraw":          {of[history.WithdrawResult]()},
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

// schemaName returns the name in the first member of a document.
func schemaName(name string) string { return "muniment." + name + ".v1" }

// messageSchema returns the JSON Schema of a message, and an error for a NAME that no
// message has.
func messageSchema(name string) ([]byte, error) {
	types, ok := messages[name]
	if !ok {
		return nil, problem.New(problem.Usage, problem.Advise("muniment help json lists the messages"), "no message is named %s", legible.Printable(name))
	}
	return server.MessageSchema(schemaName(name), types...)
}

// messageNames returns the names of the messages in lines of help.
func messageNames() string {
	const width = 78
	var b strings.Builder
	column := 0
	for _, name := range sortedKeys(messages) {
		if column+1+len(name) > width {
			b.WriteString("\n")
			column = 0
		} else if column > 0 {
			b.WriteString(" ")
			column++
		}
		b.WriteString(name)
		column += len(name)
	}
	return b.String()
}

type artifactList struct {
	Artifacts []holdings.ArtifactInfo `json:"artifacts"`
}

type withdrawnList struct {
	Withdrawn []archive.WithdrawnArtifact `json:"withdrawn"`
}

type logList struct {
	Logs []logref.LogState `json:"logs"`
}

type synthesisList struct {
	Syntheses []draft.SynthesisInfo `json:"syntheses"`
}

type citationList struct {
	Citations []engine.CitationInfo `json:"citations"`
	Searches  []engine.SearchRecord `json:"searches"`
}

type claimList struct {
	Claims []engine.ClaimInfo `json:"claims"`
}

// payloadStore is the payload store of a copy; null where it names none.
type payloadStore struct {
	Store *payloads.Config `json:"payload_store"`
}

type remoteList struct {
	Remotes []custody.RemoteInfo `json:"remotes"`
}

type demoResult struct {
	Dir   string     `json:"dir"`
	Steps []demoStep `json:"steps"`
}

type checkList struct {
	Checks []audit.Check `json:"checks"`
}

type gcResult struct {
	Merged  int   `json:"packs_merged"`
	Packs   int   `json:"packs"`
	Bytes   int64 `json:"bytes_written"`
	Damaged int   `json:"packs_damaged"`
	Swept   int   `json:"files_swept"`
	Dropped int   `json:"objects_dropped"`
}

type actList struct {
	Acts   []audit.Act           `json:"acts"`
	Events []archive.FixityEvent `json:"events"`
}

type initResult struct {
	Archive string `json:"archive"`
	Name    string `json:"name"`
	Dir     string `json:"dir"`
	Store   string `json:"store"`
}

type keyList struct {
	Keys []keyResult `json:"keys"`
}

type profileList struct {
	Profiles []draft.ProfileInfo `json:"profiles"`
}

type tierList struct {
	Tiers []string `json:"tiers"`
}

type commandList struct {
	Commands []commandLine `json:"commands"`
}

type commandLine struct {
	Command string `json:"command"`
	Short   string `json:"short"`
}

type helpPage struct {
	Topic string `json:"topic"`
	Text  string `json:"text"`
	Usage string `json:"usage,omitempty"`
}

type serveResult struct {
	Listen string `json:"listen"`
	Tokens bool   `json:"tokens_needed"`
	Ask    bool   `json:"ask"`
}

type newToken struct {
	Token string `json:"token"`
	server.Credential
}

type tokenList struct {
	Tokens []server.Credential `json:"tokens"`
}

type revokedToken struct {
	Revoked string `json:"revoked"`
}

type sourceList struct {
	Registered []engine.RegisteredSource `json:"registered"`
	Sources    []accession.SourceInfo    `json:"sources"`
}

type receiptList struct {
	Receipts []custody.Receipt `json:"receipts"`
}

type exportedFile struct {
	File  string `json:"file"`
	Bytes int    `json:"bytes"`
}

type errorMessage struct {
	Schema     string `json:"schema"`
	ErrorType  string `json:"error_type"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"`
	Partial    any    `json:"partial_result"`
	ExitCode   int    `json:"exit_code"`
}
