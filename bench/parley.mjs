import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { startService } from './processes.mjs';

const SERVICE = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const ORGANIZATIONS = 10;
const CHATS_EACH = 100;

/** Starts the built service and makes its tenants, tokens and chats by way of its admin API. */
export async function startParley(databaseUrl, dataDirectory, settings = {}) {
  const adminToken = randomBytes(24).toString('hex');
  const url = await startService('Parley', SERVICE, {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '20',
    DATA_DIR: dataDirectory,
    DEMO: '0',
    ADMIN_TOKEN: adminToken,
    SECRET_KEY: randomBytes(24).toString('hex'),
    BOT_RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    ...settings,
  });
  const post = adminOf({ url, adminToken });
  const tenants = await Promise.all(Array.from({ length: ORGANIZATIONS }, (_, index) => createTenant(post, index + 1)));
  return { name: 'Parley', url, databaseUrl, adminToken, tenants };
}

async function createTenant(post, number) {
  const { id } = await post('', { name: `Organization ${number}` });
  const bot = await post(`/${id}/bots`, { name: `Bot ${number}` });
  const { token } = await post(`/${id}/bots/${bot.id}/tokens`, { name: 'Benchmark' });
  const chatIds = [];
  for (let count = 1; count <= CHATS_EACH; count++) {
    const chat = await post(`/${id}/chats`, { visitor: { name: `Visitor ${count}` } });
    chatIds.push(chat.id);
  }
  return { organizationId: id, bot: { id: bot.id, name: bot.name }, token, chatIds };
}

/** Speaks to the admin API of a Parley. */
export function adminOf({ url, adminToken }) {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  return async (path, body, method = 'POST') => {
    const request = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/admin/organizations${path}`, request);
    if (!response.ok) throw new Error(`the admin API answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}
