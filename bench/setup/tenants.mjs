import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { adminOf, PARLEY, runParley, TEMPLATE } from './parley.mjs';

const ORGANIZATIONS = 10;
const CHATS_EACH = 100;

/**
 * Lets Parley migrate a database, and creates organizations, tokens, and chats with visitors through its admin API. The result applies
 * to every copy of that database.
 * @param file the main file of the build that does it
 */
export async function prepareTenants(postgres, directory, { template = TEMPLATE, file = PARLEY } = {}) {
  const secrets = { ADMIN_TOKEN: randomBytes(24).toString('hex'), SECRET_KEY: randomBytes(24).toString('hex') };
  const settings = { ...secrets, DATA_DIR: join(directory, 'data') };
  const parley = await runParley({ settings }, await postgres.createDatabase(template), {}, [], file);
  const post = adminOf(parley);
  const tenants = await Promise.all(Array.from({ length: ORGANIZATIONS }, (_, index) => createTenant(post, index + 1)));
  await parley.stop();
  return { settings, tenants };
}

/** All chats, each with its visitor's token and a bot token of its organization. */
export function chatsOf(tenants) {
  return tenants.flatMap(({ token, chats }) => chats.map((chat) => ({ ...chat, botToken: token })));
}

/** This many chats, equally from each organization. */
export function someChatsOf(tenants, count) {
  const each = Math.ceil(count / tenants.length);
  return chatsOf(tenants.map((tenant) => ({ ...tenant, chats: tenant.chats.slice(0, each) }))).slice(0, count);
}

async function createTenant(post, number) {
  const { id, widgetKey } = await post('', { name: `Organization ${number}` });
  const bot = await post(`/${id}/bots`, { name: `Bot ${number}` });
  const { token } = await post(`/${id}/bots/${bot.id}/tokens`, { name: 'Benchmark' });
  const chats = [];
  for (let count = 1; count <= CHATS_EACH; count++) chats.push(await createChat(post, id, count));
  return { organizationId: id, widgetKey, bot: { id: bot.id, name: bot.name }, token, chats };
}

/** Creates a chat with a visitor. @param post calls the admin API */
export async function createChat(post, organizationId, number) {
  const chat = await post(`/${organizationId}/chats`, { visitor: { name: `Visitor ${number}` } });
  return { id: chat.id, visitorToken: chat.visitorToken };
}

/** The id of a visitor, read from their token. */
export function visitorOf({ visitorToken }) {
  return JSON.parse(Buffer.from(visitorToken.split('.')[1], 'base64url').toString()).sub;
}
