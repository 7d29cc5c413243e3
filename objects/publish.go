package objects

import (
	"errors"
	"fmt"
)

// Publish makes the batch's objects part of the store and then moves refs, in
// the order given, with the writer lock held. The rename of the first ref is
// the commit point: on an error before it every ref is as it was.
//
// A ref that is not at Old is a *RefError. When that is seen before anything
// is written the batch stays open: the caller may put more objects, and
// publish again or abort. Any other error ends the batch.
//
// A batch without new objects writes no pack; without refs as well it writes
// nothing.
func (b *Batch) Publish(l *Lock, refs ...RefUpdate) error {
	b.life.Lock()
	defer b.life.Unlock()
	if b.hasEnded() {
		return errBatchEnded
	}
	if err := l.check(b.store); err != nil {
		return err
	}
	if err := b.store.checkUpdates(refs); err != nil {
		return err
	}
	for _, r := range refs {
		if !r.New.IsZero() && !b.has(r.New) {
			return fmt.Errorf("ref %s: object %s: %w", r.Name, r.New, ErrNotFound)
		}
	}
	b.drain()
	packs, err := len(b.packs)+len(b.chunks.packs), b.err
	if err == nil {
		err = b.publishPacks()
	}
	if e := b.discard(false); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := l.addRefs(refs); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := b.store.updateRefs(refs); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if packs > 0 {
		b.store.consolidateSmall()
	}
	return nil
}

// publishPacks seals every pack, then renames each into place. On an error the
// packs already renamed stay: other processes may rely on them.
func (b *Batch) publishPacks() error {
	journals, err := b.chunkPacks()
	if err != nil {
		return err
	}
	for _, w := range b.packs {
		if err := w.Seal(); err != nil {
			return err
		}
	}
	published := len(b.packs) > 0
	for len(b.packs) > 0 {
		if err := b.packs[0].Publish(); err != nil {
			return err
		}
		b.packs = b.packs[1:]
	}
	if published {
		if err := b.store.disk.SyncDir(b.store.packDir()); err != nil {
			return err
		}
	}
	for _, journal := range journals {
		removeChunkPack(b.store.disk, journal)
	}
	if err := b.store.rescan(); err != nil {
		return err
	}
	return b.checkAssumed()
}

// checkAssumed looks again for objects that were not stored because the store
// had them: an outside `git gc --prune` may have dropped them meanwhile.
func (b *Batch) checkAssumed() error {
	for _, h := range b.assumed {
		if !b.store.hasOnce(h) {
			return errors.Join(fmt.Errorf("object %s was removed from outside while the batch was built: repeat it", h), ErrNotFound)
		}
	}
	return nil
}
