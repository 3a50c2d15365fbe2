import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { Parley, type Tenant } from '../support/parley.js';
import { findTraces } from '../support/traces.js';

const DAY = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);

describe('notes to the bot that gets a chat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let mark: string;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    mark = `mark-${tenant.chatId.slice(-12)}`;
    const ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'ADMIN' });
    await ada.client.post(`/chats/${tenant.chatId}/claim`, { force: true }).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/return`, { note: `Vera is ${mark}` }).expect(200);
  });

  it('the export has the newest one', async () => {
    const { body } = await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    expect(body.chats[0].botNote).toEqual({ by: 'Ada', text: `Vera is ${mark}` });
  });

  it('erasing leaves none', async () => {
    expect(await findTraces(parley, mark)).not.toEqual([]);
    expect([202, 204]).toContain((await tenant.admin.delete(`/visitors/${tenant.visitorId}`)).status);
    await parley.untilRow(
      `SELECT FROM audit_entries WHERE action = 'visitor.erased' AND target = '${tenant.visitorId}'`,
    );
    expect(await findTraces(parley, mark)).toEqual([]);
  });

  it('an old one is removed when the retention ends', async () => {
    await parley.admin.patch(`/${tenant.id}`, { retentionDays: 30 }).expect(200);
    await parley.query('UPDATE chats SET last_message_at = $2, bot_note_at = $3 WHERE id = $1', [
      tenant.chatId,
      inDays(20),
      inDays(1),
    ]);
    await parley.app.get(DataRemoval).run(inDays(30.5));
    expect(await findTraces(parley, mark)).not.toEqual([]);
    await parley.app.get(DataRemoval).run(inDays(31.5));
    expect(await findTraces(parley, mark)).toEqual([]);
  });
});
