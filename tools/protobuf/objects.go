package main

import (
	"time"

	apps "k8s.io/api/apps/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func of[T any](value T) *T { return &value }

func named(name string) meta.ObjectMeta {
	return meta.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "web", "tier": "front"}}
}

func probe() *core.Probe {
	return &core.Probe{
		ProbeHandler: core.ProbeHandler{HTTPGet: &core.HTTPGetAction{Path: "/healthz", Port: intstr.FromString("http"),
			HTTPHeaders: []core.HTTPHeader{{Name: "X-Probe", Value: "1"}}}},
		PeriodSeconds: 5,
	}
}

func podSpec() core.PodSpec {
	source := core.EnvVarSource{SecretKeyRef: &core.SecretKeySelector{
		LocalObjectReference: core.LocalObjectReference{Name: "web"}, Key: "password"}}
	return core.PodSpec{
		InitContainers: []core.Container{{Name: "init", Image: "busybox:1", Command: []string{"true"},
			RestartPolicy: of(core.ContainerRestartPolicyAlways)}},
		Containers: []core.Container{{
			Name: "web", Image: "nginx:1.29", Args: []string{"-g", ""},
			Ports: []core.ContainerPort{{Name: "http", ContainerPort: 80, Protocol: core.ProtocolTCP}},
			Env:   []core.EnvVar{{Name: "EMPTY"}, {Name: "PASSWORD", ValueFrom: &source}},
			Resources: core.ResourceRequirements{
				Requests: core.ResourceList{"memory": resource.MustParse("64Mi"), "cpu": resource.MustParse("0.25")},
				Limits:   core.ResourceList{"memory": resource.MustParse("128Mi")}},
			VolumeMounts:    []core.VolumeMount{{Name: "data", MountPath: "/data", ReadOnly: true}},
			ReadinessProbe:  probe(),
			SecurityContext: &core.SecurityContext{RunAsNonRoot: of(false), RunAsUser: of(int64(0))},
		}},
		Volumes: []core.Volume{
			{Name: "data", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{}}},
			{Name: "token", VolumeSource: core.VolumeSource{Projected: &core.ProjectedVolumeSource{
				Sources: []core.VolumeProjection{{ServiceAccountToken: &core.ServiceAccountTokenProjection{Path: "token"}}}}}},
		},
		SecurityContext: &core.PodSecurityContext{SupplementalGroups: []int64{0, 1000, -1}},
		NodeSelector:    map[string]string{"zone": "b"},
		Affinity: &core.Affinity{PodAntiAffinity: &core.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []core.PodAffinityTerm{{TopologyKey: "zone",
				LabelSelector: &meta.LabelSelector{MatchExpressions: []meta.LabelSelectorRequirement{
					{Key: "app", Operator: meta.LabelSelectorOpIn, Values: []string{"web"}}}}}}}},
		Tolerations:                   []core.Toleration{{Key: "slow", Operator: "Exists", TolerationSeconds: of(int64(0))}},
		TerminationGracePeriodSeconds: of(int64(0)),
	}
}

// As somebody would write them, one of each kind.
func objects() []runtime.Object {
	metadata := named("web")
	metadata.CreationTimestamp = meta.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	metadata.DeletionGracePeriodSeconds = of(int64(0))
	metadata.Finalizers = []string{"example.com/hold"}
	metadata.OwnerReferences = []meta.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: "n", UID: "u", Controller: of(true)}}
	metadata.ManagedFields = []meta.ManagedFieldsEntry{{Manager: "m", Operation: "Update", APIVersion: "v1",
		FieldsType: "FieldsV1", FieldsV1: &meta.FieldsV1{Raw: []byte(`{"f:data":{"f:colour":{}}}`)}}}
	template := core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{Labels: map[string]string{"app": "web"}}, Spec: podSpec()}
	return []runtime.Object{
		&core.ConfigMap{ObjectMeta: metadata, Immutable: of(false), BinaryData: map[string][]byte{"b": {0, 1, 254}, "e": {}},
			Data: map[string]string{"colour": "red", "not-UTF-8": "a\xff\xe2\x82z", "markup": "<&>"}},
		&meta.DeleteOptions{GracePeriodSeconds: of(int64(0)), PropagationPolicy: of(meta.DeletePropagationForeground),
			Preconditions: meta.NewUIDPreconditions("u"), DryRun: []string{"All"}},
		&apps.Deployment{ObjectMeta: named("web"), Spec: apps.DeploymentSpec{Replicas: of(int32(0)), Template: template,
			Selector: &meta.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Strategy: apps.DeploymentStrategy{Type: "RollingUpdate", RollingUpdate: &apps.RollingUpdateDeployment{
				MaxSurge: of(intstr.FromString("25%")), MaxUnavailable: of(intstr.FromInt32(0))}}}},
		&core.Event{ObjectMeta: named("web.1"), InvolvedObject: core.ObjectReference{Kind: "Pod", Name: "web"}, Reason: "Started",
			FirstTimestamp: meta.Unix(1, 999), EventTime: meta.NewMicroTime(time.Unix(1767225600, 123456789)), Count: 3},
		&coordination.Lease{ObjectMeta: named("web"), Spec: coordination.LeaseSpec{HolderIdentity: of(""),
			RenewTime: of(meta.NewMicroTime(time.Unix(-1, 1000))), AcquireTime: &meta.MicroTime{}}},
		&core.Namespace{ObjectMeta: meta.ObjectMeta{Name: "web"}},
		&core.Node{ObjectMeta: meta.ObjectMeta{Name: "n"}, Spec: core.NodeSpec{Taints: []core.Taint{{Key: "k", Effect: "NoSchedule"}}},
			Status: core.NodeStatus{Capacity: core.ResourceList{"cpu": resource.MustParse("8"), "pods": resource.MustParse("110")}}},
		&core.Pod{ObjectMeta: named("web"), Spec: podSpec(), Status: core.PodStatus{Phase: core.PodRunning}},
		&core.Secret{ObjectMeta: named("web"), Type: "Opaque", Data: map[string][]byte{"password": []byte("s3cret")},
			StringData: map[string]string{"user": "me"}},
		&core.Service{ObjectMeta: named("web"), Spec: core.ServiceSpec{Selector: map[string]string{"app": "web"},
			Ports: []core.ServicePort{{Port: 80, TargetPort: intstr.FromInt32(8080)}, {Port: 81}}}},
	}
}
