import { fileURLToPath } from 'node:url';
import { startService } from './processes.mjs';

const SERVICE = fileURLToPath(new URL('bare.mjs', import.meta.url));

/** Starts Express and Socket.IO without a database. It accepts every token. */
export async function startBare(flags) {
  const service = await startService('the bare service', SERVICE, {}, flags);
  return { name: 'no database', ...service, namespace: '', opensChats: true, answered: 0 };
}
