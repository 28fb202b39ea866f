package aardvark

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The programs on the front pages are built and run, beside the files that they read.
func TestTheProgramsOfTheReadmesSayWhatCurlIs(t *testing.T) {
	block := regexp.MustCompile("(?s)```go\n(.*?)```")
	for readme, wanted := range map[string]bool{"README.md": true, "../../../README.md": false} {
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		programs := block.FindAllSubmatch(text, -1)
		if wanted && len(programs) == 0 {
			t.Errorf("%s has no program", readme)
		}
		for _, program := range programs {
			folder := t.TempDir()
			source, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "main")
			if err := os.WriteFile(source, program[1], 0o600); err != nil {
				t.Fatal(err)
			}
			if output, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", readme, err, output)
			}
			command := exec.Command(binary)
			command.Dir = "../../proof/examples"
			output, err := command.CombinedOutput()
			if err != nil || string(output) != "\"curl 1.0\" true <nil>\n" {
				t.Errorf("%s: %s %v", readme, output, err)
			}
		}
	}
}
