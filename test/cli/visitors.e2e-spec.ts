import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Cli } from '../support/cli.js';
import { Parley, type Tenant } from '../support/parley.js';

// Each command starts a process.
jest.setTimeout(90_000);

describe('parley visitor', () => {
  let parley: Parley;
  let tenant: Tenant;
  let cli: Cli;
  let org: string[];

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    cli = Cli.of(parley);
    org = ['--org', tenant.id];
  });
  afterAll(() => parley.stop());

  it('parley visitor finds a visitor, shows them, and prints all their data', async () => {
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Dear Vera \u{1F600}' }).expect(200);
    expect(await cli.say('visitor', 'list', ...org, '--email', 'VERA@example.com')).toContain(tenant.visitorId);
    expect(await cli.json('visitors', 'list', ...org, '--external-id', 'nobody')).toMatchObject({ visitors: [] });
    expect(await cli.json('visitor', 'get', tenant.visitorId, ...org)).toMatchObject({ name: 'Vera' });
    const exported = JSON.parse(await cli.say('visitor', 'export', tenant.visitorId, ...org)) as object;
    expect(exported).toMatchObject({
      visitor: { id: tenant.visitorId, email: 'vera@example.com' },
      chats: [{ id: tenant.chatId, messages: [{ seq: 1, content: 'Dear Vera \u{1F600}' }] }],
    });
    expect(await cli.run('visitor', 'export', 'vis_nobody', ...org)).toMatchObject({ code: 1, stdout: '' });
  });

  it('an export contains no terminal commands', async () => {
    const name = 'a\u001b[31mred\u009b2J\u007f';
    const { body } = await tenant.admin.post('/chats', { visitor: { name } }).expect(201);
    const text = await cli.say('visitor', 'export', body.visitor.id, ...org);
    expect(text).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(text)).toMatchObject({ visitor: { name } });
  });

  it('parley visitor erase deletes a visitor after a confirmation', async () => {
    expect(await cli.run('visitor', 'erase', tenant.visitorId, ...org)).toMatchObject({ code: 2 });
    await tenant.admin.get(`/visitors/${tenant.visitorId}`).expect(200);
    expect(await cli.say('visitor', 'erase', tenant.visitorId, '--yes', ...org)).toBe(
      `deleted visitor ${tenant.visitorId}\n`,
    );
    await tenant.admin.get(`/visitors/${tenant.visitorId}`).expect(404);
    expect(await cli.run('visitor', 'erase', tenant.visitorId, '--yes', ...org)).toMatchObject({ code: 1 });
  });

  it('parley organization update sets how long messages are kept', async () => {
    expect(await cli.json('organization', 'update', tenant.id, '--retention-days', '90')).toMatchObject({
      retentionDays: 90,
    });
    expect(await cli.json('organization', 'update', tenant.id, '--retention-days', 'off')).toMatchObject({
      retentionDays: null,
    });
    expect(await cli.run('organization', 'update', tenant.id, '--retention-days', 'soon')).toMatchObject({ code: 2 });
    expect(await cli.run('organization', 'update', tenant.id, '--retention-days', '0')).toMatchObject({ code: 1 });
  });
});
