import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseStoreUrl } from '../../src/platform/config/files-url.js';
import { parseSmtpUrl } from '../../src/platform/config/mail-url.js';

interface Service {
  profiles?: string[];
  ports?: string[];
  networks?: string[] | Record<string, unknown>;
  volumes?: string[];
  environment?: Record<string, string>;
}

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { services, volumes } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};

describe('files in docker-compose.yml', () => {
  it.each(['parley', 'ha-nodes'])('%s keeps DATA_DIR, which has the bytes of files, in a volume', (name) => {
    const folder = /^ENV .*\bDATA_DIR=(\S+)|^\s+DATA_DIR=(\S+)/m.exec(read('Dockerfile'))?.slice(1).find(Boolean);
    expect(services[name]!.volumes).toContain(`data:${folder}`);
    expect(volumes).toHaveProperty('data');
  });

  it('the scanner runs only with its profile, unpublished, where Parley and its signatures can be reached', () => {
    const { clamav, parley, 'ha-nodes': nodes } = services as Record<'clamav' | 'parley' | 'ha-nodes', Service>;
    expect(clamav.profiles).toEqual(['scan']);
    expect(clamav).not.toHaveProperty('ports');
    expect(clamav.networks).toEqual(['default', 'ha']);
    expect(parley.networks).toContain('default');
    expect(nodes.networks).toHaveProperty('ha');
    const sample = /^#FILE_SCAN_URL=clamd:\/\/(\w+):3310$/m.exec(read('.env.example'));
    expect(services).toHaveProperty(sample?.[1] ?? 'none');
  });

  it.each([
    ['mailpit', 'mail', 'SMTP_URL', parseSmtpUrl, 1025],
    ['store', 'store', 'FILES_URL', parseStoreUrl, 7070],
  ])(
    '%s runs only with its profile, and Parley reads the sample of its address',
    (name, profile, variable, readAddress, port) => {
      const service = services[name]!;
      expect(service).toMatchObject({ profiles: [profile], networks: ['default', 'ha'] });
      // Published on this machine alone, unless a setting says otherwise.
      expect(service.ports).toEqual([expect.stringMatching(/^\$\{PUBLISH_[A-Z]+:-127\.0\.0\.1:\d+\}:\d+$/)]);
      const samples = read('.env.example')
        .split('\n')
        .filter((line) => line.startsWith(`#${variable}=`) && line.includes(`${name}:${port}`));
      expect(samples).toHaveLength(1);
      expect(() => readAddress(samples[0]!.slice(variable.length + 2))).not.toThrow();
    },
  );
});
