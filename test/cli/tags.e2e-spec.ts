import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Cli } from '../support/cli.js';
import { Parley, type Tenant } from '../support/parley.js';

// Each command starts a process.
jest.setTimeout(90_000);

describe('parley tag', () => {
  let parley: Parley;
  let tenant: Tenant;
  let cli: Cli;
  let org: string[];

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    cli = Cli.of(parley);
    org = ['--org', tenant.id];
    await tenant.bot.put(`/chats/${tenant.chatId}/tags`, { tags: ['Refund', 'Money', 'gone'] }).expect(200);
  });
  afterAll(() => parley.stop());

  it('lists, renames, merges, and deletes tags, and chats are listed by them', async () => {
    const { tags } = await cli.json('tags', 'list', ...org, '--prefix', 're');
    expect(tags).toMatchObject([{ name: 'Refund', chats: 1 }]);
    const idOf = async (name: string) => (await cli.json('tag', 'list', ...org, '--prefix', name)).tags[0].id;
    const renamed = await cli.json('tag', 'rename', tags[0].id, '--name', 'Returns', '--color', '#AABBCC', ...org);
    expect(renamed).toMatchObject({ name: 'Returns', formerNames: ['Refund'], color: '#aabbcc' });
    expect(await cli.say('tag', 'get', tags[0].id, ...org)).toContain('Returns');
    const merged = await cli.json('tag', 'merge', tags[0].id, '--into', await idOf('money'), ...org);
    expect(merged).toMatchObject({ name: 'Money', formerNames: ['Returns', 'Refund'] });
    const gone = await idOf('gone');
    expect(await cli.run('tag', 'delete', gone, ...org)).toMatchObject({ code: 2 });
    expect(await cli.say('tag', 'delete', gone, '--yes', ...org)).toBe(`deleted tag ${gone}\n`);
    const { chats } = await cli.json('chat', 'list', ...org, '--tag', 'refund,money');
    expect(chats).toMatchObject([{ id: tenant.chatId, tags: ['Money'] }]);
    expect((await cli.json('chat', 'list', ...org, '--tag', 'money,gone')).chats).toEqual([]);
  });
});
