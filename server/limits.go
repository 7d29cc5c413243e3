package server

import (
	"reflect"
	"slices"
	"time"
)

// Limits bound what a server spends on its callers. A field that is 0 has the value of DefaultLimits. Bounds that keep
// one message readable, such as the depth of its JSON, are constants: no operator gains by others.
type Limits struct {
	Readers int // calls that read the archive at a time; others wait in turns

	CallsPerSecond int           // of one principal, in the long run
	CallsAtOnce    int           // that one principal may have saved up
	CallTime       time.Duration // of one call
	StreamTime     time.Duration // of a call that answers with events: verify, index, add, and those that follow
	Streams        int           // of these but those that follow events, at a time; each reads the whole archive
	Listeners      int           // calls that follow events at a time; a principal has a fourth of them

	KeepPerSecond int // bytes that one principal has the archive keep, in the long run
	KeepAtOnce    int // bytes of these that one principal may have saved up

	Body       int           // bytes of the largest body: bundles, batches of citations, documents
	TextBody   int           // bytes of every other body
	Draft      int           // bytes of a draft
	BodyMemory int           // bytes of all bodies at a time; at least two of Body and TextBody
	BodyWait   time.Duration // of a body for memory that others hold

	Waiting int // citations that wait for the writer

	Answers      int           // that are kept for the pages of each principal
	AnswerMemory int           // bytes of all kept answers
	Replies      int           // that are kept for the idempotency keys of each principal
	ReplyMemory  int           // bytes of all kept replies
	ReplyAge     time.Duration // after which a kept reply is dropped
	Pictures     int           // bytes of pictures made for pages that are kept
}

// DefaultLimits returns the limits of a server that sets none. With them a server stays
// below 256 MB beside what the archive's own index takes.
func DefaultLimits() Limits {
	return Limits{
		Readers:        4,   // two processors, and as many that wait for the disk
		CallsPerSecond: 200, // a busy agent makes ten
		CallsAtOnce:    400,
		CallTime:       2 * time.Minute, // a question with a model's draft takes one
		StreamTime:     time.Hour,       // the verification of a large archive takes minutes
		Streams:        1,
		Listeners:      32,        // each asks the ledger once a second
		KeepPerSecond:  256 << 10, // an answer a second
		KeepAtOnce:     1 << 30,   // four thousand answers
		Body:           16 << 20,  // a batch of a thousand citations takes a megabyte or two
		TextBody:       1 << 20,   // two drafts
		Draft:          256 << 10, // a hundred pages, which take seconds to check
		BodyMemory:     18 << 20,  // decoding takes six times as much
		BodyWait:       5 * time.Second,
		Waiting:        1000,
		Answers:        200,
		AnswerMemory:   64 << 20,
		Replies:        1000, // more than a principal has calls on the way
		ReplyMemory:    64 << 20,
		ReplyAge:       24 * time.Hour, // a program that was down overnight still knows its key
		Pictures:       48 << 20,
	}
}

// orDefault returns the limits with DefaultLimits for what is 0. The memory for bodies has room
// for the largest and for another's call.
func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	set, of := reflect.ValueOf(&l).Elem(), reflect.ValueOf(d)
	for i := range set.NumField() {
		if set.Field(i).IsZero() {
			set.Field(i).Set(of.Field(i))
		}
	}
	l.BodyMemory = max(l.BodyMemory, l.Body+2*l.TextBody)
	return l
}

// bodyOf returns the largest body of a request to a path, in bytes.
func (l Limits) bodyOf(path string) int64 {
	if slices.Contains(largeBodies, path) {
		return int64(l.Body)
	}
	return int64(l.TextBody)
}

// bodiesOfOne returns the memory for the bodies of one principal, which leaves room for another's call.
func (l Limits) bodiesOfOne() int { return l.BodyMemory - l.TextBody }
