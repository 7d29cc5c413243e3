package media

import "bytes"

// maxPacket is how much of a packet is read. Comments of a kilobyte come first
// in theirs, pictures of a megabyte behind them.
const maxPacket = 256 << 10

// An oggStream is the first stream of an Ogg file.
type oggStream struct {
	serial  uint32
	packets [2][]byte // what it is, and its comments
	done    int       // packets that are whole
	end     uint64    // position of the last sample
}

// readOgg walks the pages (RFC 3533).
func readOgg(data []byte, f *facts) {
	const head, noPosition = 27, 1<<64 - 1
	var s oggStream
	for at, pages := 0, 0; at < len(data); pages++ {
		if at+head > len(data) || !beginsAt(at, "OggS")(data) {
			f.defect("the Ogg breaks off, or is damaged, at byte %d", at)
			break
		}
		table := at + head
		body := table + int(data[at+26])
		if body > len(data) {
			f.defect("the Ogg breaks off, or is damaged, at byte %d", at)
			break
		}
		size := 0
		for _, n := range data[table:body] {
			size += int(n)
		}
		if body+size > len(data) {
			f.defect("the Ogg breaks off, or is damaged, at byte %d", at)
			break
		}
		serial, position := le.Uint32(data[at+14:]), le.Uint64(data[at+6:])
		if pages == 0 {
			s.serial = serial
		}
		if serial == s.serial {
			s.page(data[table:body], data[body:body+size])
			if position != noPosition {
				s.end = position
			}
		}
		at = body + size
	}
	s.read(f)
}

// page adds the parts of the first two packets in a page. A segment of less than 255 bytes ends a
// packet.
func (s *oggStream) page(table, body []byte) {
	for _, n := range table {
		if s.done == len(s.packets) {
			return
		}
		if p := s.packets[s.done]; len(p) < maxPacket {
			s.packets[s.done] = append(p, body[:n]...)
		}
		if body = body[n:]; n < 255 {
			s.done++
		}
	}
}

// read takes the facts from the packets of Vorbis or Opus (RFC 7845).
func (s *oggStream) read(f *facts) {
	first, comments := s.packets[0], s.packets[1]
	switch {
	default:
		f.defect("the Ogg holds neither Vorbis nor Opus")
	case beginsAt(0, "\x01vorbis")(first) && len(first) >= 16:
		rate := uint64(le.Uint32(first[12:]))
		f.number("channels", uint64(first[11]))
		f.number("sample_rate", rate)
		f.duration(s.end, rate)
		comments, ok := bytes.CutPrefix(comments, []byte("\x03vorbis"))
		s.comments(comments, ok, f)
	case beginsAt(0, "OpusHead")(first) && len(first) >= 16:
		const rate = 48000 // of every Opus position
		f.number("channels", uint64(first[9]))
		f.number("sample_rate", uint64(le.Uint32(first[12:])))
		if skip := uint64(le.Uint16(first[10:])); s.end > skip {
			f.duration(s.end-skip, rate)
		}
		comments, ok := bytes.CutPrefix(comments, []byte("OpusTags"))
		s.comments(comments, ok, f)
	}
}

// comments reads the comment packet; ok is false where it has not the head of
// one.
func (s *oggStream) comments(data []byte, ok bool, f *facts) {
	if !ok {
		f.defect("the Ogg has no comments where they belong")
		return
	}
	readComments(data, f)
}
