// Package logref carries answer logs on git references, so that clones take
// them along: PublishLogs copies the logs of this archive to
// refs/muniment/log/<key>, CheckLogs compares every log with what was seen of it
// before, and CosignLogs cosigns each as a witness.
//
//	states, err := logref.PublishLogs(a, false)
//	states, err = logref.CheckLogs(a)
//
// A log that contradicts itself is an error, and the evidence is kept as a file
// in archive.local/evidence. A log is copied at most once a minute, so that the
// ref does not tell when somebody asked. The commits on these refs are unsigned:
// the checkpoints in them are signed.
package logref
