import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { PlanReader } from '../support/plans.js';
import { stopIndexing } from './support/indexing.js';
import { Follower } from './support/follower.js';

const BOUND = 200;

describe('the changes of an organization', () => {
  let parley: Parley;
  let tenant: Tenant;
  let follower: Follower;

  beforeAll(async () => {
    parley = await Parley.start();
    await stopIndexing(parley);
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    follower = new Follower(parley, tenant.id);
  });

  const send = (content: string, chatId = tenant.chatId) =>
    tenant.bot.post('/messages', { chatId, content }).expect(200);
  const open = async () => {
    const { body } = await tenant.admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201);
    return body.id as string;
  };
  const visitor = () => parley.visitor(tenant.visitorToken);
  const recorded = async (organizationId: string) =>
    (await parley.query('SELECT FROM chat_changes WHERE organization_id = $1', [organizationId])).length;

  it('a new reader begins with every chat, then gets what is new', async () => {
    const other = await open();
    await send('before');
    await follower.follow();
    expect(follower.applied).toEqual([
      { chatId: tenant.chatId, afterSeq: 0 },
      { chatId: other, afterSeq: 0 },
    ]);
    await follower.expectTruth();
    await follower.follow();
    expect(follower.applied).toHaveLength(2);
    await send('after', other);
    const third = await open();
    await follower.follow();
    expect(follower.applied.slice(2).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
      { chatId: other, afterSeq: 0 },
      { chatId: third, afterSeq: 0 },
    ]);
    await follower.expectTruth();
  });

  it('many messages between two reads are one change, from the first of them', async () => {
    await send('0');
    await follower.follow();
    for (let n = 1; n <= 20; n++) await send(`${n}`);
    await follower.follow();
    expect(follower.applied.slice(1)).toEqual([{ chatId: tenant.chatId, afterSeq: 1 }]);
    await follower.expectTruth();
  });

  it('a chat that changes twice is read twice, with its status, its rating, and its visitor’s name', async () => {
    await follower.follow();
    const change = { chatId: tenant.chatId, afterSeq: expect.any(Number) };
    await visitor().post(`/chats/${tenant.chatId}/close`, {}).expect(200);
    await follower.follow();
    expect(follower.applied.slice(1)).toEqual([change]);
    await follower.expectTruth();
    await visitor().post(`/chats/${tenant.chatId}/rating`, { score: 4 }).expect(200);
    await follower.follow();
    expect(follower.applied.slice(2)).toEqual([change]);
    await follower.expectTruth();
    await parley.beginSession(tenant, { visitor: { name: 'Renamed' } }, tenant.visitorToken).expect(201);
    await follower.follow();
    expect(follower.applied.slice(3)).toEqual([{ visitorId: tenant.visitorId }]);
    expect(follower.copy.get(tenant.chatId)).toMatchObject({ status: 'CLOSED', visitor: 'Renamed' });
    await follower.expectTruth();
  });

  it('a page that was read and not stored is read again, as after a crash', async () => {
    await follower.follow();
    await send('one');
    const lost = await follower.read();
    expect(lost.changes).toHaveLength(1);
    const again = await new Follower(parley, tenant.id).read();
    expect(again).toEqual(lost);
    await follower.follow();
    await follower.expectTruth();
  });

  it('only one of two processes that read the same page may store it', async () => {
    await follower.follow();
    await send('one');
    const [first, second] = [await follower.read(), await follower.read()];
    expect(await follower.apply(first)).toBe(true);
    expect(await follower.apply(second)).toBe(false);
    await follower.expectTruth();
  });

  it('pages of one change skip and repeat nothing, and what is read is removed', async () => {
    const paged = new Follower(parley, tenant.id, 'paged', 1);
    for (let n = 0; n < 5; n++) await open();
    await paged.follow();
    expect(paged.applied).toHaveLength(6);
    for (const id of paged.copy.keys()) await send('hello', id);
    await paged.follow();
    expect(paged.applied).toHaveLength(12);
    expect(new Set(paged.applied.slice(6).map((change) => JSON.stringify(change))).size).toBe(6);
    await paged.expectTruth();
    await send('again');
    await paged.follow();
    expect(await recorded(tenant.id)).toBeLessThan(3);
  });

  it('what another reader has not read yet is kept', async () => {
    const slow = new Follower(parley, tenant.id, 'slow');
    await Promise.all([follower.follow(), slow.follow()]);
    for (let n = 0; n < 3; n++) {
      await send(`${n}`);
      await follower.follow();
    }
    await slow.follow();
    await slow.expectTruth();
    expect(slow.applied).toHaveLength(4);
  });

  it('a reader gets nothing of another organization, which records nothing without a reader', async () => {
    const other = await parley.createTenant();
    await follower.follow();
    await other.bot.post('/messages', { chatId: other.chatId, content: 'hello' }).expect(200);
    await send('hello');
    await follower.follow();
    expect([...follower.copy.keys()]).toEqual([tenant.chatId]);
    expect(await recorded(other.id)).toBe(0);
    const late = new Follower(parley, other.id);
    await late.follow();
    await late.expectTruth();
    expect([...late.copy.keys()]).toEqual([other.chatId]);
  });

  it('a page is read by an index, not by reading every change of the organization', async () => {
    await follower.follow();
    const fill = (organizationId: string, epoch: string) =>
      parley.query(
        `INSERT INTO chat_changes (organization_id, epoch, subject_id, after_seq)
         SELECT $1, ${epoch}, 'cht_' || number, 0 FROM generate_series(1, 5000) AS number`,
        [organizationId],
      );
    await fill(tenant.id, '1000000 + number');
    await fill('org_other', 'number');
    await parley.query('ANALYZE chat_changes');
    await parley.query(`UPDATE change_readers SET epoch = 1002500 WHERE organization_id = $1`, [tenant.id]);
    await parley.query(`SELECT setval('change_epoch', 2000000)`);
    const plans = await PlanReader.connect(parley.databaseUrl);
    const paged = new Follower(parley, tenant.id, 'test', 50);
    const read = await plans.rowsReadBy(async () => expect((await paged.read()).changes).toHaveLength(50));
    await plans.close();
    expect(read.chat_changes).toBeLessThan(BOUND);
  });
});
