package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// promises are sentences of the documents, and the tests that hold the program to them:
// a function, as folder.Name, or a script of the command line.
var promises = []struct {
	document, sentence string
	tests              []string
}{
	{"README.md", "are checked against known values, brute force and each other", []string{"ask.TestConformance", "ask.TestDifferential"}},
	{"README.md", "a wrong one is recorded as `wrong`", []string{"experiments/run.TestEveryOutcome", "cmd/harness.TestVerdict"}},
	{"docs/understand/measurement.md", "from the configuration's seed", []string{"experiments/config.TestShuffleInterleavesAndRepeats", "experiments/run.TestInterruptedAndResumed"}},
	{"docs/understand/measurement.md", "Each row is written in one call and synced before the next run begins", []string{"cmd/harness.TestTorture", "experiments/run.TestFullDisk"}},
	{"docs/understand/measurement.md", "2,451 for n = 8, row by row", []string{"order/optimize.TestSearchBeatsRowMajor"}},
	{"README.md", "Reports are made from records alone", []string{"experiments/report.TestSameRecordsSameBytes"}},

	{"SECURITY.md", "It listens on localhost unless `--addr` says otherwise", []string{"cmd/harness.TestServerStaysAtHome"}},
	{"SECURITY.md", "The Host of every request must be an address, localhost or a name given by `--host`", []string{"ui/web.TestHostAndOrigin"}},
	{"SECURITY.md", "Requests are bounded in size, board size, time and memory", []string{"ui/web.TestBodyTooLarge", "ui/web.TestBadRequestsGetAClearAnswer", "ui/web.TestTimeLimit", "configure/pool.TestCompilationsAreBounded", "ui/web.TestHostileMinute"}},
	{"SECURITY.md", "expensive questions wait in a lane of their own", []string{"ui/web.TestExpensiveQuestionsDoNotStarveClicks", "ui/web.TestLongQuestionsLeaveTheFastLane"}},
	{"SECURITY.md", "slow clients are dropped", []string{"ui/web.TestSlowClients", "ui/web.TestHostileMinute"}},
	{"SECURITY.md", "Connections and answers that clients do not read are bounded", []string{"ui/web.TestIdleConnectionsMakeRoom", "ui/web.TestUnreadAnswersAreBounded"}},
	{"SECURITY.md", "Where fewer than ten open files are allowed", []string{"cmd/harness/memory.txtar"}},
	{"SECURITY.md", "are checked as they are read", []string{"robdd.FuzzRead", "robdd.TestMutants", "experiments/config.FuzzLoad", "experiments/config.TestHostileYAML", "experiments/record.FuzzRecords", "experiments/record.FuzzEnvironments", "encode.FuzzReadCNF", "encode.FuzzReadOPB", "encode/csplib.FuzzRead", "order.FuzzRead", "backends/sat/solvers.FuzzProtocol"}},

	{"docs/understand/measurement.md", "readers ignore it and `--resume` cuts it off", []string{"experiments/run.TestKilledAtAnyMoment"}},
	{"docs/understand/measurement.md", "refuses a run that is there twice or is not in the configuration's grid", []string{"experiments/record.TestReaderRefusesWhatWasEdited", "experiments/record.TestReaderRefusesForeignRuns"}},
	{"docs/understand/measurement.md", "The exit code is 4 if a run is `wrong` or `contradicted`, else 3", []string{"cmd/harness.TestVerdict"}},
	{"docs/understand/measurement.md", "someone else ended its process", []string{"experiments/run.TestEveryOutcome", "cmd/harness.TestTorture"}},
	{"docs/understand/measurement.md", "the harness kills the whole group", []string{"experiments/run.TestEveryOutcome"}},
	{"docs/understand/measurement.md", "each repeat is a permutation of all points", []string{"experiments/config.TestShuffleInterleavesAndRepeats"}},
	{"docs/understand/measurement.md", "A run ends with the harness, even when that is killed with -9", []string{"experiments/run.TestRunsEndWithTheHarness", "cmd/harness.TestTorture"}},
	{"docs/understand/measurement.md", "a killed harness's are removed when the next one starts", []string{"experiments/run.TestNextStartRemovesTemporaryFolders", "internal/system.TestTempOfADeadProcessIsRemovedByTheNext"}},
	{"docs/understand/measurement.md", "Nothing is recorded once the harness has been told to stop", []string{"experiments/run.TestTerminationOfAJobIsNoRecord", "cmd/harness.TestTorture"}},
	{"docs/understand/measurement.md", "is refused, with the difference", []string{"experiments/run.TestFoldersThatAreNotTouched"}},

	{"docs/learn/lecture.md", "No move leads to a placement without a completion", []string{"configure.TestSessionAgainstBruteForce", "configure.TestOpenRefusesWhatHasNoCompletion"}},
	{"docs/learn/lecture.md", "A link can open one", []string{"ui/web.TestPageInChromium"}},
	{"docs/learn/lecture.md", "is refused, with the explanation", []string{"configure.TestRefusalsSayWhy"}},
	{"docs/learn/lecture.md", "A *forced* cell is in every completion", []string{"configure.TestSessionAgainstBruteForce"}},
	{"docs/do/serve.md", "the least recently used dropped first", []string{"configure/pool.TestDiagramsBeyondTheLimitAreDropped", "configure/pool.TestIdleBackendsBeyondTheLimitAreDropped", "configure/pool.TestBytesAreThoseOfTheHeap"}},
	{"docs/do/serve.md", "Work ends when the client goes away", []string{"ui/web.TestCancelledWhenTheClientGoesAway", "ui/web.TestHostileMinute"}},
	{"docs/do/serve.md", "more are turned away at once", []string{"ui/web.TestFullQueueTurnsAway"}},
	{"docs/do/serve.md", "A request whose Origin is another site gets a 403", []string{"ui/web.TestHostAndOrigin"}},
	{"docs/do/serve.md", "finishes the requests under way", []string{"ui/web.TestGracefulShutdown"}},
	{"docs/learn/lecture.md", "Everything works by keyboard", []string{"ui/web.TestPageAccess"}},

	{"docs/learn/first-experiment.md", "reports every mistake at once, with file, line and column", []string{"experiments/config.TestLoadReportsEverythingAtOnceWithPlaces", "experiments/config.TestLoadNamesSlips"}},
	{"docs/learn/first-experiment.md", "safe as soon as the run has ended", []string{"cmd/harness.TestTorture", "experiments/run.TestInterruptedAndResumed"}},
	{"docs/learn/first-experiment.md", "Fewer than six repeats give no interval", []string{"experiments/report.TestFewSamplesHaveNoInterval"}},
	{"docs/learn/first-experiment.md", "`compare` ends with exit code 4 when an answer or a result differs", []string{"experiments/report.TestComparisonTellsWhatDiffers", "cmd/harness/report.txtar"}},
	{"docs/learn/first-experiment.md", "The environment overrides a configuration", []string{"experiments/config.TestOverrides"}},
	{"docs/learn/first-experiment.md", "The exit code is 4 when something differs", []string{"experiments/run.TestRunsMadeAgain"}},
	{"docs/do/cluster.md", "submitting again makes what is missing", []string{"cmd/harness/submit.txtar"}},
}

// Every promise stands in its document as it is quoted here, and its tests are there.
func TestPromisesHaveTests(t *testing.T) {
	root := ".."
	for _, p := range promises {
		text, err := os.ReadFile(filepath.Join(root, p.document))
		require.NoError(t, err)
		assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), p.sentence, p.document)
		assert.NotEmpty(t, p.tests, p.sentence)
		for _, test := range p.tests {
			assert.True(t, isTest(t, root, test), "%s, of %q in %s", test, p.sentence, p.document)
		}
	}
}

// isTest reports whether the folder has the test.
func isTest(t *testing.T, root, test string) bool {
	if folder, script := filepath.Split(test); strings.HasSuffix(script, ".txtar") {
		_, err := os.Stat(filepath.Join(root, folder, "testdata", "script", script))
		return err == nil
	}
	folder, name, found := strings.Cut(test, ".")
	require.True(t, found, test)
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	require.NoError(t, err)
	function := regexp.MustCompile(`(?m)^func ` + name + `\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if function.Match(text) {
			return true
		}
	}
	return false
}
