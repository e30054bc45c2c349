{{/* The name of the service, or an error that says what is missing. */}}
{{- define "plimsoll.service" -}}
{{- required "service is not set: add -f deploy/helm/values/NAME.yaml" .Values.service -}}
{{- end -}}

{{- define "plimsoll.name" -}}
plimsoll-{{ include "plimsoll.service" . }}
{{- end -}}

{{- define "plimsoll.selector" -}}
app.kubernetes.io/part-of: plimsoll
app.kubernetes.io/name: {{ include "plimsoll.service" . }}
{{- end -}}

{{/* The pods of its migrations are no pods of the service. */}}
{{- define "plimsoll.migrationSelector" -}}
app.kubernetes.io/part-of: plimsoll
app.kubernetes.io/name: {{ include "plimsoll.service" . }}-migrate
{{- end -}}

{{- define "plimsoll.labels" -}}
{{ include "plimsoll.selector" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Values.image.digest | replace ":" "-" | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "plimsoll.image" -}}
{{- $name := printf "%s/%s" .Values.image.registry (include "plimsoll.service" .) -}}
{{- if .Values.image.digest -}}
{{ $name }}@{{ .Values.image.digest }}
{{- else -}}
{{ $name }}:{{ required "image.tag or image.digest is not set" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The size of the service in the set of values. */}}
{{- define "plimsoll.size" -}}
{{- index .Values.sizes (include "plimsoll.service" .) | required "sizes has no row of the service: add -f deploy/helm/values/sets/small.yaml" | toYaml -}}
{{- end -}}

{{/* preStop, lame duck and deadline, with five seconds until the process has ended. */}}
{{- define "plimsoll.graceSeconds" -}}
{{- $drainMs := add .Values.shutdown.lameDuckMs .Values.shutdown.deadlineMs -}}
{{- add .Values.shutdown.preStopSeconds (ceil (divf $drainMs 1000)) 5 -}}
{{- end -}}

{{/* An annotation before the first release: the migrations use the resource. */}}
{{- define "plimsoll.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-delete-policy: before-hook-creation
{{- end -}}

{{/* The container of the service, and of its migrations. */}}
{{- define "plimsoll.container" -}}
image: {{ include "plimsoll.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - { name: SHUTDOWN_LAME_DUCK_MS, value: {{ .Values.shutdown.lameDuckMs | toString | quote }} }
  - { name: SHUTDOWN_DEADLINE_MS, value: {{ .Values.shutdown.deadlineMs | toString | quote }} }
  {{- range $name, $value := merge (dict) .Values.extraEnv .Values.env }}
  - name: {{ $name }}
    value: {{ tpl (toString $value) $ | quote }}
  {{- end }}
  {{- range $name, $key := .Values.secrets }}
  - { name: {{ $name }}_FILE, value: /run/secrets/plimsoll/{{ $key }} }
  {{- end }}
  {{- range $name, $key := .Values.secretPaths }}
  - { name: {{ $name }}, value: /run/secrets/plimsoll/{{ $key }} }
  {{- end }}
volumeMounts:
  - { name: identity, mountPath: /run/identity, readOnly: true }
  {{- if or .Values.secrets .Values.secretPaths }}
  - { name: secrets, mountPath: /run/secrets/plimsoll, readOnly: true }
  {{- end }}
  - { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "plimsoll.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: identity
    projected:
      # A service does not start when other users can read its private key.
      defaultMode: 0440
      sources:
        - secret:
            name: {{ include "plimsoll.name" . }}-identity
            items:
              - { key: public.json, path: public.json }
              - { key: private.json, path: {{ .Values.service }}.private.json }
  {{- if or .Values.secrets .Values.secretPaths }}
  - name: secrets
    secret: { secretName: {{ include "plimsoll.name" . }}, defaultMode: 0440 }
  {{- end }}
  - { name: tmp, emptyDir: {} }
{{- end -}}

{{/* Egress to the names of the cluster, and to one component. */}}
{{- define "plimsoll.toDns" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
  to: [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ .Values.global.dnsNamespace }} } } }]
{{- end -}}

{{- define "plimsoll.toComponent" -}}
{{- $global := .root.Values.global -}}
{{- $cidrs := index $global.componentCidrs .component -}}
- ports: [{ port: {{ index $global.componentPorts .component }} }]
  to:
    {{- range $cidrs }}
    - ipBlock: { cidr: {{ . }} }
    {{- end }}
    {{- if not $cidrs }}
    - podSelector:
        matchLabels:
          {{- index $global.componentPods .component | toYaml | nindent 10 }}
    {{- end }}
{{- end -}}
