// Package display is what a requestor sees of an answer, and the words in which every surface
// shows it.
//
//	view, err := bundle.Render(b)       // a pure function of the disclosed leaves
//	display.Write(os.Stdout, view)      // for people
//
// A View holds texts that strangers wrote. Everything in it has gone through Safe, so that no
// text can pose as a line of the program or run backwards; the page of a bundle has the same
// table. The package knows no leaves and no signatures: bundle.Render makes the View.
package display
