// Package edtf reads and compares dates that are not always known to the day: the
// Extended Date/Time Format of ISO 8601-2:2019, levels 0 and 1.
//
//	d, err := edtf.Parse("1913-11?")
//	first, last := d.Interval() // 1913-11-01, 1913-11-30
//	if covers.Before(d) { … }   // no day of covers reaches a day of d
//
// The forms, which Parse reads and nothing else:
//
//	1931  1931-05  1931-05-20           year, month, day
//	-0044  Y17000  Y-17000              years before 0001; years of five digits and more
//	1931-05-20T10:15:00                 a time of that day, with Z, -05 or -05:00 behind it or nothing
//	193X  19XX  1931-XX  1931-05-XX  1931-XX-XX   digits that are not specified
//	1931-21  1931-22  1931-23  1931-24  spring, summer, autumn, winter
//	1817~  1913-11?  1984%              approximate, uncertain, both: for the date as a whole
//	1880/1890  1931-05~/1931-06         from the first day of one to the last day of the other
//	1880/..  ../1890                    open: no end, no beginning
//	1880/  /1890                        an end or a beginning that is not known
//
// Years are those of the proleptic Gregorian calendar, with a year 0000. A Date is
// kept as given: String returns the text that Parse read.
//
// # What a comparison takes a date for
//
// Interval returns the earliest and the latest day that the text allows, both
// included. A season is three months of the northern hemisphere, winter from
// December to the February after: the text does not say where it was written. A time is
// a moment of the day that it names, wherever that was: an offset does not move it to
// another day. An end that is open or not known is Latest, such a beginning Earliest.
// The marks ?, ~ and % do not widen an interval, as nothing says by how much;
// Uncertain and Approximate report them to who must not rely on the days.
//
// Not read: level 2 (sets, exponents, marks inside a date), quarters and other
// divisions of a year, weeks, days of the year, durations, fractions of seconds.
//
// The package is pure and stands below the records of an archive.
package edtf
