{{- define "parley.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "parley.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* A container of the image, without its command: read-only, without rights, with the settings and the secret. */}}
{{- define "parley.container" -}}
image: {{ include "parley.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - name: PUBLIC_URL
    value: {{ .Values.publicUrl | quote }}
  - name: TRUST_PROXY
    value: {{ .Values.trustProxy | quote }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | toString | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.files.existingClaim }}
  - { name: files, mountPath: /var/lib/parley/files }
  {{- end }}
{{- end -}}

{{- define "parley.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
  {{- with .Values.files.existingClaim }}
  - name: files
    persistentVolumeClaim: { claimName: {{ . }} }
  {{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
