import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Cli } from '../support/cli.js';
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
});
