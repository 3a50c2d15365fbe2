import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  role: string;
  content: string | { text?: string }[] | null;
}

interface Tool {
  function: { name: string };
}

type Delta = Record<string, unknown>;

const WORDS = ['It ', 'takes ', 'two ', 'days.'];
const call = (name: string, input: object): Delta => ({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});

/** A language model over the interface of OpenAI's chat completions, which does what the visitor's last words say. */
export class StandInModel {
  /** The messages of each request. */
  readonly requests: Message[][] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void request.toArray().then((chunks) => this.answer(JSON.parse(Buffer.concat(chunks).toString()), response));
    });
  }

  static async start(): Promise<StandInModel> {
    const model = new StandInModel();
    await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get environment(): NodeJS.ProcessEnv {
    const { port } = this.server.address() as AddressInfo;
    return { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'a-key' };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer({ messages, tools = [] }: { messages: Message[]; tools?: Tool[] }, response: ServerResponse): void {
    this.requests.push(messages);
    const asked = textOf(messages.findLast(({ role }) => role === 'user'));
    const hasCalled = messages.at(-1)?.role === 'tool';
    if (asked.includes('broken')) {
      response.writeHead(500, { 'Content-Type': 'application/json' });
      return void response.end('{"error":{"message":"out of order"}}');
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (asked.includes('human')) {
      const isParleys = tools.some((tool) => tool.function.name === 'hand_over');
      const input = { reason: 'They asked', summary: 'Wants a person' };
      return finish(response, [call(isParleys ? 'hand_over' : 'getPerson', input)], 'tool_calls');
    }
    if (!asked.includes('order')) return asked.includes('cut') ? cut(response) : finish(response, words(WORDS), 'stop');
    if (hasCalled) return finish(response, words(['Order 17 ', 'is on its way.']), 'stop');
    finish(response, [...words(['One moment. ']), call('findOrder', { number: '17' })], 'tool_calls');
  }
}

/** The text of a message; empty without one. */
export function textOf(message?: Message): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

const words = (texts: string[]): Delta[] => texts.map((content) => ({ content }));

function send(response: ServerResponse, delta: Delta, reason: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  const chunk = { id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'stand-in', choices };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function finish(response: ServerResponse, deltas: Delta[], reason: string): void {
  for (const delta of [{ role: 'assistant', content: '' }, ...deltas]) send(response, delta);
  send(response, {}, reason);
  response.end('data: [DONE]\n\n');
}

/** Breaks the connection in the middle of the answer, once the first words are sent. */
function cut(response: ServerResponse): void {
  for (const delta of words(WORDS.slice(0, 2))) send(response, delta);
  response.write(': the connection breaks\n\n', () => response.destroy());
}
