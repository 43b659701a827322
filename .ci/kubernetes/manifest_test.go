// Package kubernetes checks the manifests of harness submit kubernetes against
// Kubernetes' own types and rules for names, without a cluster. It runs the harness
// as a person would, so that it must never know how a manifest is made.
package kubernetes

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

func harness(t *testing.T) string {
	exe := filepath.Join(t.TempDir(), "harness")
	build := exec.Command("go", "build", "-o", exe, "./cmd/harness")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the harness: %v\n%s", err, out)
	}
	return exe
}

// decode refuses fields that Kubernetes does not know, and values of another type.
func decode(t *testing.T, document []byte, into any) {
	t.Helper()
	if err := strict.UnmarshalStrict(document, into, strict.DisallowUnknownFields); err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
}

func valid(t *testing.T, what, name string, problems []string) {
	t.Helper()
	if len(problems) > 0 {
		t.Errorf("%s %q: %s", what, name, strings.Join(problems, "; "))
	}
}

func job(t *testing.T, document []byte, configMap string) batchv1.Job {
	t.Helper()
	var j batchv1.Job
	decode(t, document, &j)
	if j.TypeMeta != (metav1.TypeMeta{Kind: "Job", APIVersion: "batch/v1"}) {
		t.Errorf("type %v", j.TypeMeta)
	}
	// The API server wants a pod's host name, NAME-INDEX, to be a label.
	valid(t, "job", j.Name, validation.IsDNS1123Label(j.Name+"-99999"))
	pod := j.Spec.Template.Spec
	if pod.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("restart policy %q: a limit for each index goes with Never", pod.RestartPolicy)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
		if v.ConfigMap != nil && v.ConfigMap.Name != configMap {
			t.Errorf("volume %s is of the configuration %q, not %q", v.Name, v.ConfigMap.Name, configMap)
		}
	}
	for _, c := range pod.Containers {
		valid(t, "container", c.Name, validation.IsDNS1123Label(c.Name))
		if c.Image == "" || len(c.Command) == 0 {
			t.Error("a container without image or command")
		}
		limit, request := c.Resources.Limits.Memory(), c.Resources.Requests.Memory()
		if limit.IsZero() || request.Cmp(*limit) > 0 {
			t.Errorf("memory %s asked for, limit %s", request, limit)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("mount of volume %q, which the pod has not", m.Name)
			}
		}
	}
	return j
}

// Every shipped configuration, and one with a name that Kubernetes would not take.
func TestManifests(t *testing.T) {
	exe := harness(t)
	configs, err := filepath.Glob("../../configs/*.yaml")
	if err != nil || len(configs) < 10 {
		t.Fatalf("configurations: %d, %v", len(configs), err)
	}
	odd := filepath.Join(t.TempDir(), "odd.yaml")
	name := "a_name.with" + strings.Repeat("-very-long", 8) + "_parts-"
	if err := os.WriteFile(odd, []byte("name: "+name+"\ntask: compile\naxes: {n: 4..6}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, config := range append(configs, odd) {
		t.Run(filepath.Base(config), func(t *testing.T) {
			out, err := exec.Command(exe, "submit", "kubernetes", config, "--image", "registry/queens:1").Output()
			if err != nil {
				t.Fatal(err)
			}
			var documents [][]byte
			for r := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(out))); ; {
				buffer := make([]byte, len(out))
				n, err := r.Read(buffer)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if text := bytes.TrimSpace(buffer[:n]); bytes.ContainsRune(text, '{') && !bytes.HasPrefix(text, []byte("#")) {
					documents = append(documents, text)
				}
			}
			if len(documents) != 3 {
				t.Fatalf("%d documents, expected a configuration and two jobs", len(documents))
			}
			var c corev1.ConfigMap
			decode(t, documents[0], &c)
			valid(t, "configuration", c.Name, validation.IsDNS1123Subdomain(c.Name))
			if c.Data["config.yaml"] == "" {
				t.Error("the configuration is empty")
			}
			array := job(t, documents[1], c.Name)
			if *array.Spec.CompletionMode != batchv1.IndexedCompletion || array.Spec.BackoffLimitPerIndex == nil || *array.Spec.Completions < 1 || *array.Spec.Parallelism > *array.Spec.Completions {
				t.Errorf("not an Indexed Job with a limit for each index: %+v", array.Spec)
			}
			merge := job(t, documents[2], c.Name)
			if !*merge.Spec.Suspend || merge.Name == array.Name {
				t.Errorf("the merge is to wait: %+v", merge)
			}
			for _, command := range []string{"job/" + array.Name + "\n", "job/" + merge.Name + " "} {
				if !strings.Contains(string(out), command) {
					t.Errorf("the comment does not name %s", command)
				}
			}
		})
	}
}
