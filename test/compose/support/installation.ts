import { expect } from '@jest/globals';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { VisitorSocket } from '../../support/visitor.js';
import type { Compose } from './compose.js';

export interface Provisioned {
  token: string;
  chatId: string;
  visitorToken: string;
  widgetKey: string;
}

// What an administrator does in the container; one line of JSON tells what was made.
const PROVISION = `
  const api = 'http://127.0.0.1:3000/api/admin/organizations';
  const post = async (path, body) => {
    const headers = { Authorization: 'Bearer ' + process.env.ADMIN_TOKEN, 'Content-Type': 'application/json' };
    const response = await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(await response.text());
    return response.json();
  };
  const { id, widgetKey } = await post('', { name: 'Acme' });
  const bot = await post('/' + id + '/bots', { name: 'Bot' });
  const { token } = await post('/' + id + '/bots/' + bot.id + '/tokens', {});
  const chat = await post('/' + id + '/chats', { visitor: { name: 'Vera', email: 'vera@example.com' } });
  console.log(JSON.stringify({ token, widgetKey, chatId: chat.id, visitorToken: chat.visitorToken }));
`;

/** Makes an organization with a bot and a chat from inside the container of the service. */
export async function provision(compose: Compose): Promise<Provisioned> {
  const command = ['node', '--import', '/app/docker/load-secrets.mjs', '--input-type=module', '-e', PROVISION];
  return JSON.parse(await compose.exec('parley', ...command)) as Provisioned;
}

/** What comes of asking; 0 when nobody answers. */
export function status(url: string, headers: Record<string, string> = {}): Promise<number> {
  return fetch(url, { headers, signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
}

export async function isReady(url: string): Promise<void> {
  await eventually(
    () => status(`${url}/health/ready`),
    (seen) => seen === 200,
    60_000,
  );
}

/** Sends as the bot and waits until the visitor hears it. */
export async function say(url: string, { token, chatId }: Provisioned, visitor: VisitorSocket, content: string) {
  await new Client(`${url}/api/bot`, token).post('/messages', { chatId, content }).expect(200);
  expect(await visitor.next('message')).toMatchObject({ chatId, content });
}

export async function openChat(url: string, { visitorToken, chatId }: Provisioned) {
  const visitor = await VisitorSocket.connect(url, visitorToken);
  const opened = await visitor.ask('chat:open', { chatId });
  expect(opened).toMatchObject({ ok: true });
  return { visitor, contents: (opened.messages as { content: string }[]).map(({ content }) => content) };
}
