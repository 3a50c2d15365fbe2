import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { adminOf, PARLEY, runParley, TEMPLATE } from './parley.mjs';

const ORGANIZATIONS = 10;
const CHATS_EACH = 100;
/** How many requests create them at the same time. */
const CONCURRENCY = 10;

/**
 * Lets Parley migrate a database, and creates organizations, tokens, and chats with visitors through its admin API. The result applies
 * to every copy of that database.
 * @param file the main file of the build that does it
 */
export async function prepareTenants(
  postgres,
  directory,
  { template = TEMPLATE, file = PARLEY, organizations = ORGANIZATIONS, chatsEach = CHATS_EACH } = {},
) {
  const secrets = { ADMIN_TOKEN: randomBytes(24).toString('hex'), SECRET_KEY: randomBytes(24).toString('hex') };
  const settings = { ...secrets, DATA_DIR: join(directory, 'data') };
  const parley = await runParley({ settings }, await postgres.createDatabase(template), {}, [], file);
  const limit = pLimit(CONCURRENCY);
  const unlimited = adminOf(parley);
  const post = (path, body) => limit(() => unlimited(path, body));
  const tenants = await Promise.all(
    Array.from({ length: organizations }, (_, index) => createTenant(post, index + 1, chatsEach)),
  );
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

async function createTenant(post, number, chatsEach) {
  const { id, widgetKey } = await post('', { name: `Organization ${number}` });
  const bot = await post(`/${id}/bots`, { name: `Bot ${number}` });
  const { token } = await post(`/${id}/bots/${bot.id}/tokens`, { name: 'Benchmark' });
  const chats = await Promise.all(Array.from({ length: chatsEach }, (_, index) => createChat(post, id, index + 1)));
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
