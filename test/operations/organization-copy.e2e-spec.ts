import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { storeCheck } from '../../src/platform/database/key/key-check.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { TENANT_TABLES } from '../../src/platform/database/tenant-tables.js';
import { Cli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Parley } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { createFullOrganization, snapshot, works } from './support/full-organization.js';

const [OWN_KEY, OTHER_KEY] = ['the-key-of-the-service', 'the-key-of-the-backup'];
const LOCAL = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };

describe('parley organization copy', () => {
  let backup: Parley;
  let living: Parley;
  let receiver: Receiver;
  const started: Parley[] = [];

  /** A service whose database has the check value of its key, as after a start of its own. */
  const start = async (SECRET_KEY: string) => {
    const parley = await Parley.start({ ...LOCAL, SECRET_KEY });
    await storeCheck(async (text, values) => parley.query(text, values) as never, { SECRET_KEY });
    started.push(parley);
    return parley;
  };
  beforeAll(async () => {
    receiver = await Receiver.start();
    backup = await start(OWN_KEY);
    living = await start(OWN_KEY);
  });
  afterEach(async () => {
    for (const parley of started.splice(2).reverse()) await parley.stop();
  });
  afterAll(async () => {
    await receiver.close();
    for (const parley of started.reverse()) await parley.stop();
  });

  const copy = (from: Parley, to: Parley, id: string, environment: NodeJS.ProcessEnv = {}, ...more: string[]) =>
    new Cli({ DATABASE_URL: to.databaseUrl, SECRET_KEY: OWN_KEY, ...environment }).run(
      'organization',
      'copy',
      id,
      '--from',
      from.databaseUrl,
      ...more,
    );
  const createFull = (parley: Parley) => createFullOrganization(parley, receiver);

  it('every table with an organization is in the list', async () => {
    const rows = await living.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'organization_id' AND table_schema = 'public'`,
    );
    expect(TENANT_TABLES.toSorted()).toEqual(['organizations', ...rows.map(({ name }) => name)].toSorted());
  });

  it('brings a lost organization back with everything, once, and leaves the others alone', async () => {
    const { tenant, ada, webhookId } = await createFull(backup);
    const { tenant: neighbor } = await createFull(living);
    const [original, others] = [await snapshot(backup, tenant.id), await snapshot(living, neighbor.id)];
    const { code, stdout, stderr } = await copy(backup, living, tenant.id);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^copied organization ${tenant.id} .*\n`));
    expect(stdout).toMatch(/^messages +\d{4}$/m);
    expect(await snapshot(living, tenant.id)).toEqual(original);
    expect(await snapshot(living, neighbor.id)).toEqual(others);
    await works(living, tenant);
    await living.agent(ada.token).get('/session').expect(401);
    await living
      .agent()
      .post('/session', { email: ada.email, password: 'a-long-password-1', mode: 'token' })
      .expect(201);
    await living.beginSession(tenant, { identity: await signIdentity(tenant, { sub: 'vera' }) }).expect(201);
    const ping = await living.admin.post(`/${tenant.id}/webhooks/${webhookId}/ping`, {}).expect(200);
    expect(ping.body.status).toBe(200);
    const [entry] = await living.query('SELECT * FROM installation_entries WHERE target = $1', [tenant.id]);
    expect(entry).toMatchObject({ action: 'organization.copied', details: { chats: 1, agents: 1, bots: 1 } });

    const before = await snapshot(living, tenant.id);
    const again = await copy(backup, living, tenant.id);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toBe(
      `parley: organization ${tenant.id} exists. To replace it: parley organization delete ${tenant.id} --now, and repeat this\n`,
    );
    expect(await snapshot(living, tenant.id)).toEqual(before);
  });

  it('replaces a damaged organization, after it was deleted with --now', async () => {
    const { tenant } = await createFull(backup);
    expect((await copy(backup, living, tenant.id)).code).toBe(0);
    const original = await snapshot(backup, tenant.id);
    await living.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content: 'the damage' }).expect(200);
    await living.admin.delete(`/${tenant.id}`).expect(204);
    const deleted = await copy(backup, living, tenant.id);
    expect([deleted.code, deleted.stderr]).toEqual([
      1,
      expect.stringMatching(/is deleted, and its data is still there: parley organization restore org_/),
    ]);
    await living.admin.delete(`/${tenant.id}?now=true`).expect(204);
    await eventually(
      async () => {
        await living.app.get(DataRemoval).run();
        return living.query('SELECT FROM organizations WHERE id = $1', [tenant.id]);
      },
      ({ length }) => length === 0,
    );
    expect((await copy(backup, living, tenant.id)).code).toBe(0);
    expect(await snapshot(living, tenant.id)).toEqual(original);
    await works(living, tenant);
  });

  it('encrypts secrets with the key of the service', async () => {
    const other = await start(OTHER_KEY);
    const { tenant, webhookId } = await createFull(other);
    const refused = await copy(other, living, tenant.id);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^parley: the database of --from \(.*\) has another SECRET_KEY: set FROM_SECRET_KEY to its key\n$/,
      ),
    ]);
    const { stdout } = await copy(other, living, tenant.id, { FROM_SECRET_KEY: OTHER_KEY }, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      organization: { id: tenant.id },
      rows: { organizations: 1, chats: 1 },
      secrets: { resealed: 3, unreadable: 0 },
    });
    await living.beginSession(tenant, { identity: await signIdentity(tenant, { sub: 'vera' }) }).expect(201);
    await living.admin.post(`/${tenant.id}/webhooks/${webhookId}/ping`, {}).expect(200);
    await living.visitor(tenant.visitorToken).get('/chats').expect(401);
  });

  it('changes nothing if it fails, and says why', async () => {
    const { tenant } = await createFull(backup);
    const absent = await copy(backup, living, 'org_01h455vb4pex5vsknk084sn02q');
    expect([absent.code, absent.stderr]).toEqual([
      1,
      'parley: the database of --from has no organization org_01h455vb4pex5vsknk084sn02q\n',
    ]);
    const wrongKey = await copy(backup, living, tenant.id, { SECRET_KEY: 'something-else' });
    expect(wrongKey.stderr).toMatch(/^parley: SECRET_KEY isn't the key of the service's database \(127\.0\.0\.1.*\): /);
    const nowhere = await new Cli({ SECRET_KEY: OWN_KEY, DATA_DIR: '/nowhere' }).run(
      'organization',
      'copy',
      tenant.id,
      '--from',
      backup.databaseUrl,
    );
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching(/^parley: set DATABASE_URL/)]);
    const unread = await new Cli({ SECRET_KEY: OWN_KEY, DATABASE_URL: living.databaseUrl }).run(
      'organization',
      'copy',
      tenant.id,
      '--from',
      'postgres://a,b/c?target_session_attrs=standby',
    );
    expect([unread.code, unread.stderr]).toEqual([2, expect.stringMatching(/^parley: --from must /)]);

    const [bot] = await living.query<{ hash: Buffer }>('SELECT token_hash AS hash FROM access_tokens LIMIT 1');
    await backup.query('UPDATE access_tokens SET token_hash = $2 WHERE organization_id = $1', [tenant.id, bot!.hash]);
    const taken = await copy(backup, living, tenant.id);
    expect([taken.code, taken.stderr]).toEqual([
      1,
      'parley: nothing was copied: another organization has the same value in access_tokens (uq_access_tokens_hash)\n',
    ]);
    expect(Object.values(await snapshot(living, tenant.id)).flat()).toEqual([]);
    await backup.query(`DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)`);
    const older = await copy(backup, living, tenant.id);
    expect([older.code, older.stderr]).toEqual([
      1,
      expect.stringMatching(/has the schema of an older release: start this release once with it and DRILL=1/),
    ]);
  });
});
