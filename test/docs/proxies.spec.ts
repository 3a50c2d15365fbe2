import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { Config } from '../../src/platform/config/config.js';
import { SAMPLES } from './support/samples.js';

const ROOT = new URL('../../', import.meta.url);
const UNITS: Record<string, number> = { '': 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };
const { FILE_MAX_SIZE } = new Config();

const filesIn = (folder: string): [place: string, text: string][] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:conf|ya?ml)$/.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8')]);

const samples = SAMPLES.map(({ place, text }): [place: string, text: string] => [place, text]);
const configurations = [...samples, ...filesIn('docker'), ...filesIn('deploy')].filter(([, text]) =>
  /^\s*proxy_pass /m.test(text),
);

/** The sizes that nginx or its ingress compares with that of a body; 0 is no limit. */
function limitsIn(text: string): number[] {
  const given = [...text.matchAll(/(?:client_max_body_size|proxy-body-size:) *['"]?(\d+)([kmg]?)\b/gi)];
  return given.map(([, count, unit]) => Number(count) * UNITS[unit!.toLowerCase()]! || Infinity);
}

/** The blocks that pass requests on: the largest body, and whether nginx keeps it first. */
function passesOf(text: string): { limit: number; isKept: boolean }[] {
  const innermost = text.match(/\{[^{}]*\}/g) ?? [];
  const [outside = UNITS.m!] = limitsIn(text.replaceAll(/\{[^{}]*\}/g, ''));
  const passing = innermost.filter((block) => block.includes('proxy_pass '));
  return (passing.length > 0 ? passing : [text]).map((block) => ({
    limit: limitsIn(block)[0] ?? outside,
    isKept: !block.includes('proxy_request_buffering off;'),
  }));
}

describe('nginx in front of Parley', () => {
  it('the tests below find all configurations', () => {
    const pages = new Set(configurations.map(([place]) => place.split(':')[0]));
    expect([...pages]).toEqual(
      expect.arrayContaining([
        'docker/nginx.conf',
        'docs/operate/docker.md',
        'docs/operate/path.md',
        'docs/operate/scaling.md',
      ]),
    );
    expect(pages.size).toBe(4);
  });

  it.each(configurations)(
    '%s passes a file of FILE_MAX_SIZE on as it arrives, and keeps at most 4 MB of a body',
    (_, text) => {
      const passes = passesOf(text);
      expect(passes.some(({ limit, isKept }) => !isKept && limit >= FILE_MAX_SIZE)).toBe(true);
      expect(passes.filter(({ limit, isKept }) => isKept && limit > 4 * UNITS.m!)).toEqual([]);
    },
  );

  it('the Helm chart lets a file of FILE_MAX_SIZE through ingress-nginx', () => {
    const values = readFileSync(new URL('deploy/helm/parley/values.yaml', ROOT), 'utf8');
    expect(limitsIn(values)).toEqual([expect.any(Number)]);
    expect(limitsIn(values)[0]).toBeGreaterThanOrEqual(FILE_MAX_SIZE);
  });
});
