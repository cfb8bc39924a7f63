// Package kubernetes checks the manifests as an API server does: unknown fields, defaults, then its own validation.
package kubernetes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	validatebatch "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	validatecore "k8s.io/kubernetes/pkg/apis/core/validation"
	"sigs.k8s.io/yaml"
)

func TestManifestsAreValid(t *testing.T) {
	names, _ := filepath.Glob("../*.yaml")
	if len(names) < 5 {
		t.Fatalf("only %v", names)
	}
	for _, name := range names {
		if err := check(read(t, filepath.Base(name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrongManifestsAreFound(t *testing.T) {
	manifest := read(t, "label.yaml")
	for _, edit := range [][2]string{
		{"backoffLimitPerIndex:", "backoffLimitPerIndexes:"},
		{"completionMode: Indexed", "completionMode: NonIndexed"},
		{"restartPolicy: Never", "restartPolicy: OnFailure"},
		{"values: [65]", "values: [0]"},
		{"containerName: chaff", "containerName: other"},
		{"mountPath: /tmp", "mountPath: /job"},
		{"memory: 1Gi", "memory: much"},
	} {
		wrong := strings.ReplaceAll(string(manifest), edit[0], edit[1])
		if wrong == string(manifest) || check([]byte(wrong)) == nil {
			t.Errorf("%q passes for %q", edit[1], edit[0])
		}
	}
}

func TestExitCodesDecideWhatHappens(t *testing.T) {
	for _, name := range []string{"learn.yaml", "label.yaml"} {
		job := stage(t, name)
		for code, expected := range map[int32]batchv1.PodFailurePolicyAction{
			65:  batchv1.PodFailurePolicyActionFailJob,
			75:  batchv1.PodFailurePolicyActionCount,
			137: batchv1.PodFailurePolicyActionCount,
		} {
			if found := actionOn(job, code); found != expected {
				t.Errorf("%s: %s on exit code %d", name, found, code)
			}
		}
	}
}

func TestEverySliceHasAnIndex(t *testing.T) {
	for _, name := range []string{"learn.yaml", "label.yaml"} {
		job := stage(t, name)
		for _, variable := range job.Spec.Template.Spec.Containers[0].Env {
			if variable.Name == "CHAFF_SLICES" && variable.Value != strconv.Itoa(int(*job.Spec.Completions)) {
				t.Errorf("%s: %s slices for %d indexes", name, variable.Value, *job.Spec.Completions)
			}
		}
	}
}

func TestStagesDifferInTheirNamesOnly(t *testing.T) {
	body := func(name string) string {
		_, rest, _ := strings.Cut(string(read(t, name)), "\n")
		return rest
	}
	if strings.ReplaceAll(body("learn.yaml"), "learn", "label") != body("label.yaml") {
		t.Error("learn.yaml and label.yaml differ")
	}
}

func read(t *testing.T, name string) []byte {
	manifest, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return manifest
}

func stage(t *testing.T, name string) (job batchv1.Job) {
	if err := yaml.UnmarshalStrict(read(t, name), &job); err != nil {
		t.Fatal(err)
	}
	return job
}

// The action of the first rule that names the code; a code that no rule names is counted.
func actionOn(job batchv1.Job, code int32) batchv1.PodFailurePolicyAction {
	for _, rule := range job.Spec.PodFailurePolicy.Rules {
		if rule.OnExitCodes == nil {
			continue
		}
		for _, value := range rule.OnExitCodes.Values {
			if value == code {
				return rule.Action
			}
		}
	}
	return batchv1.PodFailurePolicyActionCount
}

func check(manifest []byte) error {
	var kind metav1.TypeMeta
	if bytes.Contains(manifest, []byte("\n---")) {
		return fmt.Errorf("more than one document")
	}
	if err := yaml.Unmarshal(manifest, &kind); err != nil {
		return err
	}
	scheme := legacyscheme.Scheme
	var found field.ErrorList
	switch kind.Kind {
	case "Job":
		var written batchv1.Job
		if err := yaml.UnmarshalStrict(manifest, &written); err != nil {
			return err
		}
		written.Namespace = "default"
		scheme.Default(&written)
		var job batch.Job
		if err := scheme.Convert(&written, &job, nil); err != nil {
			return err
		}
		// the API server makes the selector and the labels that belong to it
		selector := map[string]string{"batch.kubernetes.io/controller-uid": "uid", "batch.kubernetes.io/job-name": job.Name}
		job.UID = "uid"
		job.Spec.Selector = &metav1.LabelSelector{MatchLabels: selector}
		for name, value := range map[string]string{"controller-uid": "uid", "job-name": job.Name} {
			job.Spec.Template.Labels[name] = value
			job.Spec.Template.Labels["batch.kubernetes.io/"+name] = value
		}
		found = validatebatch.ValidateJob(&job, validatebatch.JobValidationOptions{RequirePrefixedLabels: true})
	case "PersistentVolumeClaim":
		var written corev1.PersistentVolumeClaim
		if err := yaml.UnmarshalStrict(manifest, &written); err != nil {
			return err
		}
		written.Namespace = "default"
		scheme.Default(&written)
		var claim core.PersistentVolumeClaim
		if err := scheme.Convert(&written, &claim, nil); err != nil {
			return err
		}
		found = validatecore.ValidatePersistentVolumeClaim(&claim, validatecore.PersistentVolumeClaimSpecValidationOptions{})
	default:
		return fmt.Errorf("no check for %q", kind.Kind)
	}
	return found.ToAggregate()
}
