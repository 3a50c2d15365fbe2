import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Cli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

// Each command starts a process.
jest.setTimeout(90_000);

describe('attributes with parley', () => {
  let parley: Parley;
  let tenant: Tenant;
  let cli: Cli;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    cli = Cli.of(parley);
  });
  afterAll(() => parley.stop());

  it('sets and shows attributes of chats and visitors', async () => {
    const org = ['--org', tenant.id];
    const subjects = [
      ['chat', tenant.chatId],
      ['visitor', tenant.visitorId],
    ] as const;
    for (const [noun, id] of subjects) {
      const update = (attributes: string) => cli.json(noun, 'update', id, '--attributes', attributes, ...org);
      expect(await update('{"plan":"gold","seats":5}')).toMatchObject({ id, attributes: { plan: 'gold', seats: 5 } });
      expect(await update('{"seats":null}')).toMatchObject({ id, attributes: { plan: 'gold' } });
      expect(await cli.say(noun, 'get', id, ...org)).toMatch(/^attributes\.plan +gold$/m);
      const { code, stderr } = await cli.run(noun, 'update', id, '--attributes', '{"a b":1}', ...org);
      expect([code, stderr]).toEqual([1, expect.stringContaining('attributes must have keys')]);
    }
  });

  it('lists chats by attributes', async () => {
    const org = ['--org', tenant.id];
    await tenant.bot.patch(`/chats/${tenant.chatId}`, { attributes: { plan: 'gold' } }).expect(200);
    await tenant.admin.put('/attribute-keys', { keys: ['plan'] }).expect(200);
    await eventually(
      async () => (await tenant.admin.get('/attribute-keys').expect(200)).body.keys,
      ([key]) => key.isReady,
    );
    const list = async (filters: string) =>
      (await cli.json('chat', 'list', ...org, '--attribute', filters)).chats.map(({ id }: { id: string }) => id);
    expect(await list('attr.plan=GOLD,attr.plan=*')).toEqual([tenant.chatId]);
    expect(await list('verified.plan=gold')).toEqual([]);
    const { code, stderr } = await cli.run('chat', 'list', ...org, '--attribute', 'plan');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--attribute must be NAME=VALUE')]);
  });

  it('sets and lists the attribute keys that chats are filtered by, and lists troubles', async () => {
    const org = ['--org', tenant.id];
    const set = async (keys: string) =>
      (await cli.json('attribute-key', 'set', '--keys', keys, ...org)).keys.map(({ key }: { key: string }) => key);
    expect(await set('order,city')).toEqual(['city', 'order']);
    expect(await cli.say('attribute-keys', 'list', ...org)).toMatch(/^city +(?:yes|no)$/m);
    expect(await set('')).toEqual([]);
    expect((await cli.run('attribute-key', 'set', ...org)).code).toBe(2);
    expect(await cli.json('health', 'list', ...org)).toMatchObject({ troubles: [] });
  });
});
