package container

import "fmt"

// followHardLinks gives the hard links of a tar the bytes of the file before
// them that they name: a tar keeps the bytes of a file that has several names
// once, under the first. A link to anything else stays skipped: to a name
// outside, to one that comes later or twice, to what is skipped itself.
//
// To read them all again may cost limit bytes: of a gzipped tar the stream is
// expanded anew for each.
func followHardLinks(all []found, limit int64, gzipped bool) {
	count := map[string]int{}
	for _, f := range all {
		if path, reason := CheckName(f.entry.Name); reason == "" && !f.folder {
			count[path]++
		}
	}
	files := map[string]*Entry{}
	for i := range all {
		f := &all[i]
		path, reason := CheckName(f.entry.Name)
		if f.link != "" {
			to, bad := CheckName(f.link)
			target := files[to]
			if bad != "" || target == nil || count[to] > 1 {
				f.reason = fmt.Sprintf("a hard link to %s, which is no file before it", Quoted(f.link))
				continue
			}
			cost := target.Size
			if gzipped {
				cost += target.offset
			}
			if cost > limit {
				f.reason = fmt.Sprintf("a hard link to %s: to read all of them again is beyond the limit of the whole", Quoted(f.link))
				continue
			}
			limit -= cost
			f.entry.Size, f.entry.offset, f.reason = target.Size, target.offset, ""
			f.entry.addNote("a hard link to " + Quoted(to))
		}
		if f.reason == "" && !f.folder && reason == "" {
			files[path] = f.entry
		}
	}
}
