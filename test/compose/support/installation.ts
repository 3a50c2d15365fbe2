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

/** Creates an organization with a bot and a chat, using the command line in a node's container. */
export async function provision(compose: Compose, service = 'parley'): Promise<Provisioned> {
  const parley = async (...words: string[]) => JSON.parse(await compose.exec(service, 'parley', ...words, '--json'));
  const { id, widgetKey } = await parley('organization', 'create', '--name', 'Acme');
  const org = ['--org', id];
  const bot = await parley('bot', 'create', ...org, '--name', 'Bot');
  const { token } = await parley('token', 'create', ...org, '--bot', bot.id);
  const chat = await parley('chat', 'create', ...org, '--visitor-name', 'Vera');
  return { token, widgetKey, chatId: chat.id, visitorToken: chat.visitorToken };
}

/** The status of a GET; 0 without a response. */
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

/** Sends a message as the bot, and waits until the visitor receives it. */
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
