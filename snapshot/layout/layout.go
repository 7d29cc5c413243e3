// Package layout holds the paths of an archive's git tree, which are known here and nowhere else:
// ArtifactPath and its siblings build paths, ClassifyPath reads them back. The two calls most
// people need are
//
//	path := layout.ArtifactPath(id)
//	kind, ids := layout.ClassifyPath(path)
//
// It knows no object that lies at a path; packages record and access do. The specification is
// docs/spec/object.md.
package layout

import (
	"fmt"
	"regexp"
	"strings"

	"muniment/cid"
	"muniment/snapshot/member"
)

// MaxBlob is the largest payload or original in bytes that is one blob. A
// larger one is a directory of chunks, so that a reader never has to hold it.
const MaxBlob = 8 << 20

// Paths of the files that every archive has, or may have, once.
const (
	PathReadme         = "README.txt"
	PathAttributes     = ".gitattributes"
	PathArchive        = "archive.json"
	PathSubject        = "policy/subject.json"
	PathPersons        = "policy/persons.json"
	PathConsent        = "policy/consent.json"
	PathTiers          = "policy/tiers.json"
	PathCedar          = "policy/policy.cedar"
	PathAuditors       = "policy/auditors.json"
	PathFreeform       = "policy/freeform.json"
	PathProfiles       = "policy/profiles/" // <name>.json
	PathAllowedSigners = "trust/allowed_signers"
	PathTrustRoot      = "trust/root.txt"
	FolderReviews      = "reviews" // what people said of claims
)

// Attributes is the content of .gitattributes: whatever the configuration of
// the machine, a checkout holds the bytes that were stored.
const Attributes = "* -text -ident -filter -working-tree-encoding -export-subst -export-ignore -diff -merge\n"

// Readme is the content of README.txt, for whoever finds the repository and
// nothing else.
const Readme = `This repository is an archive made with Muniment.

artifacts/  what the archive holds, each file named by its sha256:
            artifacts/ab/cd/<60 more digits>            the artifact
            artifacts/ab/cd/<60 more digits>.r.*.json   how it came here
originals/  files as they were received, where they differ from the artifact
records/    sources that are described and not held
citations/  statements with the place in an artifact that supports them
policy/     who may see what
trust/      the keys that sign

To see that an artifact is what its name says:
    cat artifacts/ab/cd/<60 more digits> | sha256sum
To see who signed the newest snapshot:
    export GIT_NO_REPLACE_OBJECTS=1
    git -c gpg.ssh.allowedSignersFile=trust/allowed_signers verify-commit HEAD

Do not commit here by hand: a snapshot is made by muniment snapshot.
`

// A Kind says what lies at a path.
type Kind int

// The kinds of path, with the IDs that ClassifyPath reads from it. An artifact
// and an original have a raw ID, a record and a citation a json ID.
const (
	KindNone            Kind = iota // no path of an archive
	KindReadme                      // README.txt
	KindAttributes                  // .gitattributes
	KindArchive                     // archive.json
	KindPolicy                      // below policy/
	KindTrust                       // below trust/
	KindPayload                     // artifact
	KindPayloadChunk                // artifact; one chunk of it
	KindRecord                      // artifact, record
	KindConsent                     // artifact
	KindHold                        // artifact
	KindWithdrawn                   // artifact
	KindOriginal                    // original
	KindOriginalChunk               // original; one chunk of it
	KindLoneRecord                  // record
	KindCitation                    // citation
	KindPointer                     // artifact; in the place of its payload
	KindOriginalPointer             // original; in its place
	KindReview                      // subject, review; both json
)

// The folders with two levels of fan-out.
const (
	dirArtifacts = "artifacts/"
	dirOriginals = "originals/"
	dirRecords   = "records/"
	dirCitations = "citations/"
	dirReviews   = FolderReviews + "/"
)

// ArtifactPath returns where an artifact's payload lies; above MaxBlob bytes
// it is a directory of chunks.
func ArtifactPath(artifact cid.ID) string { return shardPath(dirArtifacts, artifact) }

// RecordPath returns where a record of an artifact lies.
func RecordPath(artifact, record cid.ID) string {
	return shardPath(dirArtifacts, artifact) + recordInfix + record.Hex() + ".json"
}

// ConsentPath returns where the consent of an artifact lies.
func ConsentPath(artifact cid.ID) string { return shardPath(dirArtifacts, artifact) + ".consent.json" }

// HoldPath returns where the hold on an artifact lies.
func HoldPath(artifact cid.ID) string { return shardPath(dirArtifacts, artifact) + ".hold.json" }

// WithdrawnPath returns where the withdrawal of an artifact lies.
func WithdrawnPath(artifact cid.ID) string {
	return shardPath(dirArtifacts, artifact) + ".withdrawn.json"
}

// OriginalPath returns where an original lies that differs from its artifact.
func OriginalPath(original cid.ID) string { return shardPath(dirOriginals, original) }

// PointerPath returns the path of the pointer that replaces the payload or original at path.
func PointerPath(path string) string { return path + pointerSuffix }

// pointerSuffix ends the path of a pointer.
const pointerSuffix = ".pointer.json"

// LoneRecordPath returns where a record without an artifact lies.
func LoneRecordPath(record cid.ID) string { return shardPath(dirRecords, record) + ".json" }

// CitationPath returns where a citation lies.
func CitationPath(citation cid.ID) string { return shardPath(dirCitations, citation) + ".json" }

// ReviewPath returns where a review of a subject lies: all of one subject are next to each other.
func ReviewPath(subject, review cid.ID) string {
	return shardPath(dirReviews, subject) + recordInfix + review.Hex() + ".json"
}

// ReviewFolder returns the folder of the reviews of a subject, and of some others.
func ReviewFolder(subject cid.ID) string {
	return ReviewPath(subject, subject)[:len(dirReviews)+len("ab/cd")]
}

// recordInfix divides the ID in a path from that of a record of it, or from that of a review.
const recordInfix = ".r."

// ChunkPath returns where chunk i of a large payload or original lies, whose
// own path is dir: 1000 chunks to a directory, counting from 000/000.
func ChunkPath(dir string, i int) string {
	return fmt.Sprintf("%s/%03d/%03d", dir, i/1000, i%1000)
}

// shardPath returns the path of an id below dir, on two levels of directories.
func shardPath(dir string, id cid.ID) string {
	h := id.Hex()
	return dir + h[:2] + "/" + h[2:4] + "/" + h[4:]
}

var chunk = regexp.MustCompile(`^[0-9]{3}/[0-9]{3}$`)

// CleanPath reports whether every component of path matches
// [0-9a-z][0-9a-z._-]*, or path is README.txt or .gitattributes: nothing that a
// file system folds, and nothing a snapshot may not hold.
func CleanPath(path string) bool {
	if path == PathReadme || path == PathAttributes {
		return true
	}
	inside := false // a component
	for i := range len(path) {
		switch c := path[i]; {
		default:
			return false
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			inside = true
		case inside && (c == '.' || c == '_' || c == '-'):
		case inside && c == '/':
			inside = false
		}
	}
	return inside
}

// ClassifyPath returns the kind of a path and the IDs in it. A path that no archive has is
// KindNone.
func ClassifyPath(path string) (Kind, []cid.ID) {
	switch path {
	case PathReadme:
		return KindReadme, nil
	case PathAttributes:
		return KindAttributes, nil
	case PathArchive:
		return KindArchive, nil
	}
	top, rest, ok := strings.Cut(path, "/")
	if !ok || !CleanPath(path) {
		return KindNone, nil
	}
	switch top + "/" {
	default:
		return KindNone, nil
	case "policy/":
		return KindPolicy, nil
	case "trust/":
		return KindTrust, nil
	case dirArtifacts, dirOriginals, dirRecords, dirCitations, dirReviews:
	}
	// ab/cd/<60 hex><tail>
	if len(rest) < 66 || rest[2] != '/' || rest[5] != '/' {
		return KindNone, nil
	}
	var digest [32]byte
	ok = member.ReadHex(digest[:1], rest[:2]) && member.ReadHex(digest[1:2], rest[3:5]) && member.ReadHex(digest[2:], rest[6:66])
	if !ok {
		return KindNone, nil
	}
	return classifyTail(top+"/", digest, rest[66:])
}

// classifyTail decides by what follows the digest in the path.
func classifyTail(top string, digest [32]byte, tail string) (Kind, []cid.ID) {
	codec := cid.Raw
	if top == dirRecords || top == dirCitations || top == dirReviews {
		codec = cid.JSON
	}
	ids := append(make([]cid.ID, 0, 2), cid.FromDigest(codec, digest))
	isChunk := strings.HasPrefix(tail, "/") && chunk.MatchString(tail[1:])
	switch {
	case top == dirRecords && tail == ".json":
		return KindLoneRecord, ids
	case top == dirCitations && tail == ".json":
		return KindCitation, ids
	case top == dirOriginals && tail == "":
		return KindOriginal, ids
	case top == dirOriginals && isChunk:
		return KindOriginalChunk, ids
	case top == dirOriginals && tail == pointerSuffix:
		return KindOriginalPointer, ids
	case top == dirReviews:
	case top != dirArtifacts:
		return KindNone, nil
	case tail == "":
		return KindPayload, ids
	case isChunk:
		return KindPayloadChunk, ids
	case tail == pointerSuffix:
		return KindPointer, ids
	case tail == ".consent.json":
		return KindConsent, ids
	case tail == ".hold.json":
		return KindHold, ids
	case tail == ".withdrawn.json":
		return KindWithdrawn, ids
	}
	middle, isRecord := strings.CutPrefix(tail, recordInfix)
	middle, isJSON := strings.CutSuffix(middle, ".json")
	id, isDigest := member.ReadDigest(middle)
	if !isRecord || !isJSON || !isDigest {
		return KindNone, nil
	}
	kind := KindRecord
	if top == dirReviews {
		kind = KindReview
	}
	return kind, append(ids, cid.FromDigest(cid.JSON, id))
}

// ProfilePath returns where an archive's own profile lies.
func ProfilePath(name string) string { return PathProfiles + name + ".json" }
