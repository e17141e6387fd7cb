{{- define "turnkeeper.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "turnkeeper.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "turnkeeper.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "turnkeeper.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of every object. */}}
{{- define "turnkeeper.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Labels that select pods; never change them. Takes (dict "root" $ "component" "ingest"). */}}
{{- define "turnkeeper.selector" -}}
app.kubernetes.io/name: {{ include "turnkeeper.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "turnkeeper.image" -}}
{{- $repository := printf "turnkeeper-%s" .component -}}
{{- with .root.Values.image.registry }}{{ $repository = printf "%s/%s" . $repository }}{{ end -}}
{{- $digest := index .root.Values.image.digests .component -}}
{{- if $digest -}}
{{ printf "%s@%s" $repository $digest }}
{{- else -}}
{{ printf "%s:%s" $repository (default .root.Chart.AppVersion .root.Values.image.tag) }}
{{- end -}}
{{- end -}}

{{- define "turnkeeper.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "turnkeeper.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The Secret that holds the URLs of the servers. */}}
{{- define "turnkeeper.secretName" -}}
{{- if .Values.existingSecret -}}
{{- .Values.existingSecret -}}
{{- else if .Values.externalSecret.enabled -}}
{{- include "turnkeeper.fullname" . -}}-external
{{- else if .Values.trial.enabled -}}
{{- include "turnkeeper.fullname" . -}}-trial
{{- else -}}
{{- fail "Set existingSecret to a Secret with DATABASE_URL, NATS_URL, QUEUE_URL and SECRETS_KEY, or enable externalSecret or trial." -}}
{{- end -}}
{{- end -}}

{{- define "turnkeeper.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "turnkeeper.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Settings of a container; later sources win. */}}
{{- define "turnkeeper.envFrom" -}}
- configMapRef: { name: {{ include "turnkeeper.fullname" . }} }
- secretRef: { name: {{ include "turnkeeper.secretName" . }} }
{{- end -}}

{{/* A setting of the chart, or the service's own default. */}}
{{- define "turnkeeper.drainSeconds" -}}{{ dig "SHUTDOWN_DRAIN_SECONDS" 5 .Values.config | int }}{{- end -}}
{{- define "turnkeeper.deadlineSeconds" -}}{{ dig "SHUTDOWN_DEADLINE_SECONDS" 10 .Values.config | int }}{{- end -}}

{{- define "turnkeeper.topologySpread" -}}
{{- if .root.Values.topologySpread.enabled }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: {{ $.root.Values.topologySpread.whenUnsatisfiable }}
    labelSelector:
      matchLabels: {{- include "turnkeeper.selector" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- end -}}

{{/* Placement values of a component. */}}
{{- define "turnkeeper.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
