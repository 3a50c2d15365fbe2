import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createVisitorClient, type VisitorClient } from 'parley/visitor';
import request from 'supertest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { memory, until } from '../support/observing.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { Road } from '../support/road.js';
import { findTraces, readSeqs, upTo } from '../support/traces.js';

const run = (program: string, ...parts: string[]) => promisify(execFile)(join(process.env.PG_BIN!, program), parts);
const ENVIRONMENT = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600', SECRET_KEY: 'kept-beside-it' };

/** The statements that docs/operate/backup.md says to run before the service starts. */
const END_SESSIONS = ['UPDATE agent_sessions SET expires_at = now()', 'DELETE FROM sign_in_links'];

/** Follows docs/operate/backup.md with its own commands. */
describe('a service restored from a backup', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-dump-'));
  const dump = join(directory, 'parley.dump');
  let before: Parley;
  let after: Parley;
  let restored: TestDatabase;
  let tenant: Tenant;
  let receiver: Receiver;
  let road: Road;
  let client: VisitorClient;
  let chatId: string;
  let waiting: string;
  let agent: SignedInAgent;
  let link: string;

  const say = (parley: Parley, content: string) =>
    parley.bot(tenant.token).post('/messages', { chatId, content }).expect(200);
  const contents = () => client.messages.value.map(({ content }) => content);

  beforeAll(async () => {
    before = await Parley.start(ENVIRONMENT);
    tenant = await before.createTenant();
    receiver = await Receiver.start((_, response) => void response.writeHead(500).end());
    road = await Road.to(before.url);
    client = createVisitorClient({ url: road.url, widgetKey: tenant.widgetKey, storage: memory() });
    chatId = (await client.openChat()).id;
    await client.send('one');
    await say(before, 'two');
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await say(before, 'three');
    const [attempt] = await receiver.count(1);
    waiting = attempt!.headers['webhook-id']!;
    const path = `/webhooks/${webhook.id}/deliveries?status=pending`;
    await eventually(
      async () => (await tenant.admin.get(path)).body.deliveries.map(({ attempts }: any) => attempts.length),
      (counts) => counts.join() === '1',
    );

    agent = await before.signInAgent(tenant);
    link = await before.mintLink(tenant, agent.id);

    await run('pg_dump', '--format=custom', '--no-owner', `--file=${dump}`, before.databaseUrl);

    await before.agent().post('/session/link', { token: link, mode: 'token' }).expect(201);
    await tenant.admin.patch(`/agents/${agent.id}`, { isEnabled: false }).expect(200);
    await before.agent(agent.token).get('/session').expect(401);
    await before.visitor(tenant.visitorToken).delete('/sessions').expect(204);
    await before.visitor(tenant.visitorToken).get('/chats').expect(401);
    await say(before, 'said after the backup');
    await until(client.messages, ({ length }) => length === 4);
    road.cut();
    await before.app.close();
    restored = await createDatabase({ isMigrated: false });
    await run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${restored.url}`, dump);
    receiver.become((_, response) => void response.end());
    after = await Parley.start(ENVIRONMENT, restored.url);
    road.target = after.url;
    road.isCut = false;
  }, 120_000);
  afterAll(async () => {
    client.close();
    await road.close();
    await receiver.close();
    await after.stop();
    await before.stop();
    await restored.drop();
    rmSync(directory, { recursive: true });
  });

  it('a restored service is ready, with the data of the backup', async () => {
    await request(after.url).get('/health/ready').expect(200);
    const { seqs, messageCount } = await readSeqs(after, tenant.id, chatId);
    expect([seqs, messageCount]).toEqual([upTo(3), 3]);
    expect(await findTraces(after, 'said after the backup')).toEqual([]);
  });

  it('visitors continue in a restored service with their tokens', async () => {
    await until(client.messages, () => contents().join() === 'one,two,three');
    expect(client.chat.value?.id).toBe(chatId);
    expect(await client.send('mine')).toMatchObject({ seq: 4 });
    await say(after, 'another four');
    await until(client.messages, ({ length }) => length === 5);
    expect(contents()).toEqual(['one', 'two', 'three', 'mine', 'another four']);
  });

  it('a restored service accepts bot tokens, and opens sealed secrets with the same SECRET_KEY', async () => {
    const identity = await signIdentity(tenant, { sub: 'person' });
    await after.beginSession(tenant, { identity }).expect(201);
  });

  it('a restored service sends pending deliveries again under the same id', async () => {
    const [webhook] = await after.query<{ id: string }>('SELECT id FROM webhooks');
    await after.admin.patch(`/${tenant.id}/webhooks/${webhook!.id}`, { isEnabled: true }).expect(200);
    await receiver.until((all) => all.filter(({ headers }) => headers['webhook-id'] === waiting).length === 2);
  });

  it('sessions and links ended after the backup are valid again until the documented statements end them', async () => {
    await after.visitor(tenant.visitorToken).get('/chats').expect(200);
    const signedIn = () => after.agent(agent.token).get('/session');
    await signedIn().expect(200);
    const commands = END_SESSIONS.flatMap((statement) => ['-c', statement]);
    expect(readFileSync('docs/operate/backup.md', 'utf8')).toContain(
      END_SESSIONS.map((one) => `-c '${one}'`).join(' '),
    );
    await run('psql', `--dbname=${restored.url}`, ...commands);
    await signedIn().expect(401);
    await after.agent().post('/session/link', { token: link, mode: 'token' }).expect(401);
  });

  it('a service restored with another SECRET_KEY accepts its bots and none of its visitors', async () => {
    const stranger = await Parley.start({ ...ENVIRONMENT, SECRET_KEY: 'another-secret-key' }, restored.url);
    await stranger.bot(tenant.token).get('/groups').expect(200);
    await stranger.visitor(tenant.visitorToken).get('/chats').expect(401);
    await stranger.stop();
  });
});
