package pdf

import (
	"errors"
	"os/exec"
	"strconv"
	"sync"
)

// ErrNoDrawing is the error of a system without the program that draws pages.
var ErrNoDrawing = errors.New("pdftoppm is not installed")

var drawingProgram = sync.OnceValues(func() (string, error) { return exec.LookPath("pdftoppm") })

// CanDraw reports whether DrawPage has its program here.
func CanDraw() bool {
	_, err := drawingProgram()
	return err == nil
}

// DrawPage returns a page of a PDF, from 1, as a PNG whose longer side has size pixels. The program
// runs within the limits of the reader.
func DrawPage(data []byte, page, size int) ([]byte, error) {
	path, err := drawingProgram()
	if err != nil {
		return nil, ErrNoDrawing
	}
	tool, err := installedPoppler()
	if err != nil {
		return nil, err
	}
	n := strconv.Itoa(page)
	out, err := tool.run(path, data, "-png", "-f", n, "-l", n, "-scale-to", strconv.Itoa(size), "-")
	if err == nil && (out.status != 0 || len(out.stdout) == 0) {
		err = errors.New("the page cannot be drawn")
	}
	return out.stdout, err
}
