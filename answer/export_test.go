package answer

// What the tests of the pipeline, which stand outside the package, reach.
var (
	FindProfile   = findProfile
	PipelineUnder = pipelineUnder
	WaitForStep   = waitForStep
)
