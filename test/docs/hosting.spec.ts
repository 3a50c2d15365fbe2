import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { VARIABLES } from '../../src/platform/config/variables.js';

const read = (path: string) => readFileSync(new URL(`../../deploy/templates/${path}`, import.meta.url), 'utf8');
const yaml = (path: string): any => parseYaml(read(path));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Variables of a service of Compose, which are a list or an object. */
const ofCompose = ({ environment }: { environment: string[] | Record<string, string> }) =>
  Array.isArray(environment)
    ? Object.fromEntries(environment.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
    : environment;

/** The variables that each template gives Parley, and its image. */
const TEMPLATES: Record<string, () => { variables: Record<string, unknown>; image: string }> = {
  'coolify/docker-compose.yml': () => {
    const { parley } = yaml('coolify/docker-compose.yml').services;
    // Coolify reads the port from this one.
    const { SERVICE_URL_PARLEY_3000: _, ...variables } = ofCompose(parley);
    return { variables, image: parley.image };
  },
  'dokploy/docker-compose.yml': () => {
    const { parley } = yaml('dokploy/docker-compose.yml').services;
    return { variables: ofCompose(parley), image: parley.image };
  },
  'caprover/parley.yml': () => {
    const { services, caproverOneClickApp } = yaml('caprover/parley.yml');
    const { defaultValue } = caproverOneClickApp.variables.find(({ id }: { id: string }) => id === '$$cap_version');
    const { environment, image } = services.$$cap_appname;
    return { variables: environment, image: image.replace('$$cap_version', defaultValue) };
  },
  'railway/variables.env': () => {
    const lines = read('railway/variables.env').trim().split('\n');
    const pairs = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/=(.*)/s));
    return {
      variables: Object.fromEntries(pairs),
      image: /parleychat\/parley:\S+/.exec(lines[0]!)![0].replace(/,$/, ''),
    };
  },
  'render/render.yaml': () => {
    const [{ envVars, image }] = yaml('render/render.yaml').services;
    const pairs = envVars.map((one: { key: string }) => [one.key, one]);
    return { variables: Object.fromEntries(pairs), image: image.url.replace('docker.io/', '') };
  },
  'fly/fly.toml': () => {
    const { env, build } = parseToml(read('fly/fly.toml')) as any;
    // The comment says how to set these, because they are secrets.
    const secrets = ['ADMIN_TOKEN', 'SECRET_KEY', 'METRICS_TOKEN'].filter((name) =>
      read('fly/fly.toml').includes(`${name}=$(`),
    );
    const attached = read('fly/fly.toml').includes('fly mpg attach') ? ['DATABASE_URL'] : [];
    return {
      variables: { ...env, ...Object.fromEntries([...secrets, ...attached].map((name) => [name, ''])) },
      image: build.image,
    };
  },
  'umbrel/docker-compose.yml': () => {
    const { web } = yaml('umbrel/docker-compose.yml').services;
    return { variables: ofCompose(web), image: web.image };
  },
};

const FOLDER = '/var/lib/parley';
const mountsOf = ({ volumes = [] }: { volumes?: string[] }) => volumes.map((volume) => volume.split(':')[1]!);

/** Where each template mounts volumes in Parley's container. */
const MOUNTS: Record<string, () => string[]> = {
  'coolify/docker-compose.yml': () => mountsOf(yaml('coolify/docker-compose.yml').services.parley),
  'dokploy/docker-compose.yml': () => mountsOf(yaml('dokploy/docker-compose.yml').services.parley),
  'caprover/parley.yml': () => mountsOf(yaml('caprover/parley.yml').services.$$cap_appname),
  'railway/variables.env': () => [],
  'render/render.yaml': () => [yaml('render/render.yaml').services[0].disk?.mountPath],
  'fly/fly.toml': () => {
    const { mounts = [] } = parseToml(read('fly/fly.toml')) as { mounts?: { destination: string }[] };
    return mounts.map(({ destination }) => destination);
  },
  'umbrel/docker-compose.yml': () => mountsOf(yaml('umbrel/docker-compose.yml').services.web),
};

describe('deploy/templates', () => {
  it.each(Object.entries(TEMPLATES))('%s keeps files, in a volume or a bucket', (name, readTemplate) => {
    const keepsFiles = MOUNTS[name]!().includes(FOLDER) || 'FILES_URL' in readTemplate().variables;
    expect(keepsFiles).toBe(true);
  });

  it('all but Fly.io start a Redis, as the page says', () => {
    const without = Object.keys(TEMPLATES).filter((name) => !('REDIS_URL' in TEMPLATES[name]!().variables));
    expect(without).toEqual(['fly/fly.toml']);
    expect(readFileSync(new URL('../../docs/operate/hosting.md', import.meta.url), 'utf8')).toContain(
      'except for Fly.io, a Redis',
    );
  });

  it.each(Object.entries(TEMPLATES))(
    '%s sets what Parley needs, and no variable that it does not know',
    (_, readTemplate) => {
      const { variables, image } = readTemplate();
      expect(image).toBe(`parleychat/parley:${version}`);
      expect(Object.keys(variables).filter((name) => !(name in VARIABLES))).toEqual([]);
      expect(Object.keys(variables)).toEqual(
        expect.arrayContaining(['DATABASE_URL', 'ADMIN_TOKEN', 'SECRET_KEY', 'PUBLIC_URL', 'TRUST_PROXY']),
      );
    },
  );

  it("Dokploy's and CapRover's variables are defined where they are used", () => {
    const used = new Set([...read('dokploy/docker-compose.yml').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!));
    const { config, variables } = parseToml(read('dokploy/template.toml')) as any;
    expect([...used].toSorted()).toEqual(Object.keys(config.env).toSorted());
    for (const value of Object.values<string>(config.env))
      expect(variables).toHaveProperty(/\$\{(\w+)\}/.exec(value)![1]!);
    const text = read('caprover/parley.yml');
    const ids = yaml('caprover/parley.yml').caproverOneClickApp.variables.map(({ id }: { id: string }) => id);
    const mentioned = new Set(
      [...text.matchAll(/\$\$cap_(?!appname|root_domain|gen_random)\w+/g)].map(([name]) => name),
    );
    expect([...mentioned].toSorted()).toEqual(ids.toSorted());
  });

  it('Render starts all services that it names, and Railway and Fly migrate before they start', () => {
    const { services, databases } = yaml('render/render.yaml');
    const names = [...services, ...databases].map(({ name }: { name: string }) => name);
    for (const { fromDatabase, fromService } of services[0].envVars)
      if (fromDatabase ?? fromService) expect(names).toContain((fromDatabase ?? fromService).name);
    expect(JSON.parse(read('railway/railway.json')).deploy.preDeployCommand).toEqual([
      'node dist/src/cli/main.js upgrade',
    ]);
    expect((parseToml(read('fly/fly.toml')) as any).deploy.release_command).toBe('node dist/src/cli/main.js upgrade');
  });
});
