import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { Compose } from './support/compose.js';
import { isReady, openChat, type Provisioned, provision, say, status } from './support/installation.js';

const MINUTES = 60_000;
const NODES = 'ha-nodes';
const DATABASES = ['ha-database-a', 'ha-database-b'];
/** One database is the primary, and the other one its synchronous standby. */
const IN_PLACE = 'Leader running, Sync Standby streaming';

interface Listed {
  Member: string;
  Role: string;
  State: string;
}

// One installation from its first start to its removal. Each test continues where the previous one ended.
describe('docker compose --profile ha', () => {
  let compose: Compose;
  let url: string;
  let acme: Provisioned;
  /** What was answered 200. */
  const acknowledged: string[] = [];

  const members = async (service = DATABASES[0]!): Promise<Listed[]> =>
    JSON.parse(await compose.exec(service, 'as-postgres', 'patronictl', 'list', '--format', 'json')) as Listed[];
  const isInPlace = (service?: string) =>
    eventually(
      () => members(service).catch(() => []),
      (all) =>
        all
          .map(({ Role, State }) => `${Role} ${State}`)
          .toSorted()
          .join(', ')
          // Older releases of Patroni call a standby that streams "running".
          .replace('Standby running', 'Standby streaming') === IN_PLACE,
      3 * MINUTES,
    );
  const primaryOf = (all: Listed[]) => `ha-database-${all.find(({ Role }) => Role === 'Leader')!.Member}`;

  /** Sends a message as the bot, with the same key until it's answered 200. */
  const deliver = async (content: string) => {
    const bot = new Client(`${url}/api/bot`, acme.token);
    const send = () =>
      bot
        .post('/messages', { chatId: acme.chatId, content })
        .set('Idempotency-Key', content)
        .timeout(10_000)
        .then(
          ({ status: code }) => code,
          () => 0,
        );
    expect(await eventually(send, (code) => code > 0 && code < 500, 2 * MINUTES)).toBe(200);
    acknowledged.push(content);
  };
  const contents = async () => {
    const { visitor, contents: stored } = await openChat(url, acme);
    visitor.close();
    return stored;
  };

  beforeAll(async () => {
    compose = await Compose.create('ha');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    compose.configure({ PUBLISH_PROXY: `127.0.0.1:${port}` });
    await compose.compose('build', 'secrets', 'ha-primary');
  }, 12 * MINUTES);
  afterAll(() => compose?.remove(), MINUTES);

  it(
    'one command starts two databases and two nodes',
    async () => {
      await compose.compose('up', '-d', 'ha-proxy');
      await isReady(url);
      expect(await compose.containers(NODES)).toHaveLength(2);
      expect(await compose.containers('parley')).toEqual([]);
      expect(await compose.containers('postgres')).toEqual([]);
      const token = await compose.exec(NODES, 'admin-token');
      expect(await status(`${url}/api/admin/organizations`, { Authorization: `Bearer ${token}` })).toBe(200);
      await isInPlace();
    },
    6 * MINUTES,
  );

  it("a bot's message reaches a visitor's socket", async () => {
    acme = await provision(compose, NODES);
    const { visitor } = await openChat(url, acme);
    await say(url, acme, visitor, 'first');
    visitor.close();
    acknowledged.push('first');
  });

  it("the password appears in no container's settings and no log", async () => {
    const password = await compose.exec(DATABASES[0]!, 'cat', '/run/parley/postgres-password');
    for (const service of [NODES, 'ha-primary', 'ha-etcd', ...DATABASES]) {
      expect(JSON.stringify(await compose.inspect(service))).not.toContain(password);
    }
    expect(await compose.logs()).not.toContain(password);
  });

  it(
    'messages are answered after the primary is killed, and nothing acknowledged is lost',
    async () => {
      const primary = primaryOf(await isInPlace());
      const standby = DATABASES.find((name) => name !== primary)!;
      for (let count = 0; count < 10; count++) await deliver(`before-${count}`);
      const [container] = await compose.containers(primary);
      const killedAt = performance.now();
      await compose.docker('kill', container!);
      await deliver('after');
      console.log(`answered ${Math.round((performance.now() - killedAt) / 1000)} s after the primary was killed`);
      expect(primaryOf(await members(standby))).toBe(standby);
      expect(await contents()).toEqual(acknowledged);

      await compose.compose('start', primary);
      await isInPlace(standby);
      await deliver('with-both');
      expect(await contents()).toEqual(acknowledged);
    },
    8 * MINUTES,
  );

  it(
    'a switchover loses nothing',
    async () => {
      const primary = primaryOf(await isInPlace());
      const standby = DATABASES.find((name) => name !== primary)!;
      const leader = primary.at(-1)!;
      const candidate = standby.at(-1)!;
      const words = ['patronictl', 'switchover', '--leader', leader, '--candidate', candidate, '--force'];
      const asked = compose.exec(standby, 'as-postgres', ...words);
      for (let count = 0; count < 5; count++) await deliver(`during-${count}`);
      await asked;
      expect(primaryOf(await isInPlace())).toBe(standby);
      await deliver('last');
      expect(await contents()).toEqual(acknowledged);
    },
    6 * MINUTES,
  );

  it("Parley's role is no superuser, and its password is no superuser's", async () => {
    const roles = 'SELECT rolname, rolsuper, rolcreaterole, rolreplication FROM pg_roles WHERE rolname = current_user';
    const ask = (role: string) => {
      const words = ['psql', '-qXAt', '-h', 'ha-primary', '-U', role, '-d', 'parley', '-c', roles];
      return compose.exec(DATABASES[0]!, 'as-postgres', ...words);
    };
    expect((await ask('parley')).trim()).toBe('parley|f|f|f');
    for (const role of ['postgres', 'replicator'])
      await expect(ask(role)).rejects.toMatchObject({ stderr: expect.stringContaining('authentication failed') });
  });

  it('a dump of the primary has everything', async () => {
    const dump = 'pg_dump -h ha-primary -U parley -Fc parley';
    const list = 'pg_restore -f - --data-only -t messages';
    const text = await compose.exec(DATABASES[0]!, 'as-postgres', 'bash', '-c', `${dump} | ${list}`);
    expect(acknowledged.filter((content) => !text.includes(content))).toEqual([]);
  });

  it(
    'everything survives down and up',
    async () => {
      await compose.compose('down');
      await compose.compose('up', '-d', 'ha-proxy');
      await isReady(url);
      expect(await contents()).toEqual(acknowledged);
      await isInPlace();
    },
    6 * MINUTES,
  );
});
