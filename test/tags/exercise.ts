import { TagChanges } from '../../src/tags/tag-changes.service.js';
import { indexed } from '../search/support/searching.js';
import type { Parley, Tenant } from '../support/parley.js';

/** Gives 2,001 new chats a tag, by SQL: it's no longer a rare one. */
export async function makeFrequent(parley: Parley, { id, chatId }: Pick<Tenant, 'id' | 'chatId'>, tagId: string) {
  await parley.query(
    `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at, has_tags)
    SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'CLOSED', now(), now(), true
    FROM chats c CROSS JOIN generate_series(1, 2001) AS n WHERE c.organization_id = $1 AND c.id = $2`,
    [id, chatId],
  );
  await parley.query(
    `INSERT INTO chat_tags (organization_id, chat_id, tag_id) SELECT organization_id, id, $2 FROM chats
    WHERE organization_id = $1 AND has_tags ON CONFLICT DO NOTHING`,
    [id, tagId],
  );
}

/** Tags chats, filters by tags, and renames, merges, and deletes tags. */
export async function exerciseTags(parley: Parley, { admin, bot, chatId, id }: Tenant): Promise<void> {
  const { body: other } = await admin.post('/chats', {}).expect(201);
  await bot.put(`/chats/${chatId}/tags`, { tags: ['one', 'two', 'gone'] }).expect(200);
  await bot.put(`/chats/${other.id}/tags`, { tags: ['one'] }).expect(200);
  for (let time = 0; time < 2; time++)
    await bot
      .post(`/chats/${chatId}/tags`, { add: ['three'], remove: ['gone'] })
      .set('Idempotency-Key', 'tag')
      .expect(200);
  const { body: group } = await admin.get('/groups').expect(200);
  const groupIds = [group.groups[0].id as string];
  const ada = await parley.signInAgent({ admin }, { groupIds });
  const sue = await parley.signInAgent({ admin }, { role: 'SUPERVISOR' });
  const today = new Date().toISOString().slice(0, 10);
  for (const { client } of [ada, sue]) {
    await client.post(`/chats/${other.id}/tags`, { add: ['four'] });
    await client.put(`/chats/${other.id}/tags`, { tags: ['one'] });
    for (const query of ['', '?prefix=t']) await client.get(`/tags${query}`).expect(200);
    for (const tags of ['tag=one', 'tag=one&tag=two'])
      for (const path of ['/chats?view=OPEN&', '/chats?view=CLOSED&', `/search?`, '/search?q=searching&'])
        await client.get(path + tags).expect(200);
  }
  for (const tags of ['tag=one', 'tag=one&tag=two']) {
    await bot.get(`/chats?${tags}`).expect(200);
    await admin.get(`/chats?${tags}&status=ACTIVE`).expect(200);
    for (const path of ['', '/agents', '/ratings', '/chats/export'])
      for (const more of ['', `&groupId=${groupIds[0]}`])
        await sue.client.get(`/reports${path}?from=${today}&to=${today}&${tags}${more}`).expect(200);
  }
  await bot.get('/tags?prefix=o').expect(200);
  const { body } = await admin.get('/tags?limit=2').expect(200);
  await admin.get(`/tags?cursor=${body.nextCursor}`).expect(200);
  const idOf = async (name: string) => (await admin.get(`/tags?prefix=${name}`).expect(200)).body.tags[0].id as string;
  await makeFrequent(parley, { id, chatId }, await idOf('one'));
  for (const tags of ['tag=one', 'tag=one&tag=two']) {
    await bot.get(`/chats?${tags}`).expect(200);
    await bot.get(`/chats?${tags}&status=ACTIVE`).expect(200);
    for (const path of ['/chats?view=OPEN&', '/chats?view=CLOSED&', '/search?q=searching&'])
      await ada.client.get(path + tags).expect(200);
  }
  await parley.query(`DELETE FROM chats WHERE organization_id = $1 AND id LIKE 'cht_0000%'`, [id]);
  await admin.get(`/tags/${await idOf('one')}`).expect(200);
  await admin.patch(`/tags/${await idOf('one')}`, { name: 'uno', color: '#123456' }).expect(200);
  await admin.post(`/tags/${await idOf('two')}/merge`, { into: await idOf('uno') }).expect(200);
  await admin.delete(`/tags/${await idOf('three')}`).expect(204);
  await parley.app.get(TagChanges).run();
  await indexed(parley, id);
}
