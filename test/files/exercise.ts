import { PictureUpkeep } from '../../src/pictures/picture-upkeep.js';
import { FileRemovals } from '../../src/files/removals.service.js';
import { UploadsService } from '../../src/files/uploads.service.js';
import type { Parley, Tenant } from '../support/parley.js';
import { until } from '../support/eventually.js';
import { allowVisitors, begin, PNG, put, TEXT, upload } from './support/files.js';

/** Sends files in both ways, uses them in messages and notes, reads them, and removes them. */
export async function exerciseFiles(parley: Parley, tenant: Tenant): Promise<void> {
  const { admin, bot, chatId } = tenant;
  await allowVisitors(tenant);
  const agent = (await parley.signInAgent(tenant, { role: 'SUPERVISOR' })).client;
  // A chat that isn't over: visitors send files only into such chats.
  const visitor = parley.visitor(await openSession(parley, tenant));
  const own = (await visitor.post('/chats', {}).expect(201)).body.chat.id as string;
  for (const [api, chat] of [
    [bot, chatId],
    [agent, chatId],
    [visitor, own],
  ] as const) {
    const file = await upload(api, chat, 'a.png', PNG);
    if (api !== bot) await api.get(`/files/${file.id}`).expect(200);
    await api.delete(`/uploads/${file.id}`).expect(204);
  }
  const refused = await begin(bot, chatId, 'a.html', 6);
  await put(refused, Buffer.from('<html>'));
  await bot.post(`/uploads/${refused.id}/complete`).expect(409);
  await parley.app.get(UploadsService).discard(tenant.id, [refused.id]);
  const sent = await upload(bot, chatId, 'b.txt', TEXT);
  await bot.post('/messages', { chatId, files: [sent.id] }).expect(200);
  // The documents describe no bytes, so the answer isn't compared with them.
  await fetch(sent.url, { headers: { Authorization: `Bearer ${tenant.token}` } });
  await fetch((await agent.get(`/files/${sent.id}`).expect(200)).body.file.url);
  const [first, second] = [await upload(agent, chatId, '1.txt', TEXT), await upload(agent, chatId, '2.txt', TEXT)];
  const note = (await agent.post(`/chats/${chatId}/notes`, { content: 'x', files: [first.id] }).expect(201)).body;
  await agent.patch(`/chats/${chatId}/notes/${note.id}`, { files: [second.id] }).expect(200);
  await agent.delete(`/chats/${chatId}/notes/${note.id}`).expect(204);
  await exercisePictures(parley, tenant);
  await admin.get('/files').expect(200);
  const removals = parley.app.get(FileRemovals);
  await removals.removeUnused(new Date(Date.now() + 2 * 86_400_000));
  await removals.removeOldBodies();
  await until('all bytes of the note are gone', async () => {
    const rows = await parley.query('SELECT FROM file_removals WHERE cleared_at IS NULL');
    return rows.length === 0;
  });
}

/** Sets pictures, and changes addresses of an earlier `PUBLIC_URL`, of a picture and of none. */
async function exercisePictures(parley: Parley, tenant: Tenant): Promise<void> {
  const { admin, id } = tenant;
  const { id: agentId, client } = await parley.signInAgent(tenant);
  const picture = `data:image/png;base64,${PNG.toString('base64')}`;
  const { body } = await client.patch('/session', { avatarUrl: picture }).expect(200);
  await admin.patch('', { mail: { logoUrl: picture } }).expect(200);
  const { pathname } = new URL(body.agent.avatarUrl as string);
  await fetch(body.agent.avatarUrl as string);
  for (const path of [pathname, `/files/upl_${'0'.repeat(26)}/picture`]) {
    const address = `https://old.example${path}`;
    await parley.query('UPDATE agents SET avatar_url = $1 WHERE organization_id = $2 AND id = $3', [
      address,
      id,
      agentId,
    ]);
    const settings = 'UPDATE organizations SET mail_settings = jsonb_build_object($1::text, $2::text) WHERE id = $3';
    await parley.query(settings, ['logoUrl', address, id]);
    await parley.app.get(PictureUpkeep).run(new Date(Date.now() + 3_600_000));
  }
}

async function openSession(parley: Parley, tenant: Tenant): Promise<string> {
  return (await parley.beginSession(tenant).expect(201)).body.token as string;
}
