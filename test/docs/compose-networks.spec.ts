import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Service {
  networks?: string[] | Record<string, unknown>;
  network_mode?: string;
}

const { services, networks } = parse(readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8'), {
  merge: true,
}) as { services: Record<string, Service>; networks: Record<string, { internal?: boolean } | null> };

const networksOf = ({ networks: own, network_mode: mode }: Service): string[] =>
  mode === 'none' ? [] : Array.isArray(own) ? own : own ? Object.keys(own) : ['default'];

describe('the networks of docker-compose.yml', () => {
  it('only the databases reach etcd, which has no password', () => {
    const ofEtcd = networksOf(services['ha-etcd']!);
    expect(ofEtcd).toEqual(['ha-consensus']);
    expect(networks['ha-consensus']).toMatchObject({ internal: true });
    const others = Object.keys(services).filter((name) => networksOf(services[name]!).includes('ha-consensus'));
    expect(others.toSorted()).toEqual(['ha-database-a', 'ha-database-b', 'ha-etcd']);
    expect(networksOf(services['ha-database-b']!)).toEqual(['inside', 'ha-consensus']);
  });
});
