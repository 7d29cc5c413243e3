// Package figures writes the tables of docs/evidence.md and docs/performance.md from
// docs/figures.tsv, a line for each figure: name, what was measured, value, unit, command, day and
// machine, separated by tabs. Figures named TABLE/… go between the page's lines
// "<!-- figures TABLE -->" and "<!-- end -->". Its test fails where a page differs from the data.
//
//	go test ./internal/bench/figures -write                      writes the tables
//	go test ./internal/bench/figures -write -set 'NAME=VALUE'    records a value with today's day first
package figures
