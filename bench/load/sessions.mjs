import pLimit from 'p-limit';
import { Pool } from 'undici';

const CONNECTIONS = 32;

/** Creates visitors in all organizations in turn, each with a token. Their chats start when they connect. */
export async function createSessions({ url }, tenants, count) {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const limit = pLimit(CONNECTIONS);
  const create = async (index) => {
    const body = JSON.stringify({ widgetKey: tenants[index % tenants.length].widgetKey });
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ path: '/api/visitor/sessions', method: 'POST', headers, body });
    if (answer.statusCode !== 201) throw new Error(`a session was answered ${answer.statusCode}`);
    return { visitorToken: (await answer.body.json()).token };
  };
  const sessions = await Promise.all(Array.from({ length: count }, (_, index) => limit(create, index)));
  await pool.close();
  return sessions;
}
