package main

import "muniment/archive"

// Exit codes of the command line; the same numbers in every error document.
const (
	exitOK          = 0
	exitNo          = 1   // it worked and the verdict is no
	exitUsage       = 2   // the call is wrong
	exitPartly      = 3   // partly done, or not checked
	exitNotAllowed  = 4   // not permitted
	exitRefused     = 5   // answer refused, with --fail-on-refusal
	exitEnvironment = 6   // disk, database, git, model
	exitNoArchive   = 10  // no archive here
	exitBusy        = 11  // another writer holds the archive
	exitKey         = 12  // no key, wrong key or wrong passphrase
	exitBug         = 70  // a defect of the program
	exitInterrupted = 130 // interrupted by the user
)

// codeOf gives the exit code of each kind of error that HasFound leaves open. An error
// that names its outcome exits by that, whatever its kind.
var codeOf = map[archive.Kind]int{
	archive.TypeUsage: exitUsage, archive.TypeArchiveExists: exitUsage, archive.TypeNotFound: exitUsage, archive.TypeAmbiguous: exitUsage,
	archive.TypeNoSnapshot: exitUsage, archive.TypeSourceNotFound: exitUsage, archive.TypeInvalidLocator: exitUsage, archive.TypeReasoning: exitUsage,
	archive.TypeNoAuditor: exitUsage, archive.TypeQuoteTooLong: exitUsage,
	archive.TypeNoArchive: exitNoArchive, archive.TypeBusy: exitBusy, archive.TypeKey: exitKey, archive.TypeNotPermitted: exitNotAllowed,
	archive.TypeEnvironment: exitEnvironment, archive.TypeDamaged: exitEnvironment, archive.TypeAssemblyFailed: exitEnvironment,
	archive.TypeDatabase: exitEnvironment, archive.TypeRemote: exitEnvironment,
	archive.TypePartlyDone: exitPartly, archive.TypeTimeout: exitPartly, archive.TypeUnverified: exitPartly,
	archive.TypeInterrupted: exitInterrupted, archive.TypeInternal: exitBug, archive.TypeAnswerRefused: exitRefused,
}

// exitCode returns the exit code of an error.
func exitCode(e *archive.Error) int {
	switch {
	case e.HasFound():
		return exitNo
	case e.Outcome == archive.Misused:
		return exitUsage
	case e.Outcome == archive.Incomplete:
		return exitPartly
	}
	if code, known := codeOf[e.Kind]; known {
		return code
	}
	return exitBug
}
