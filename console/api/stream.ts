import { RequestError } from '../../headless/errors.js';
import { basePath } from '../lib/service.js';
import { toRefusal } from './request.js';

/**
 * Sends a request whose answer comes as server-sent events, and calls `onEvent` with each.
 * @throws RequestError, a Refusal if the service refused it
 */
export async function stream(
  path: string,
  body: object,
  signal: AbortSignal,
  onEvent: (type: string, data: unknown) => void,
): Promise<void> {
  const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify(body), signal };
  const response = await fetch(basePath + path, options).catch((error: Error) => {
    throw new RequestError('unreachable', error.message);
  });
  if (!response.ok || !response.body) throw toRefusal(response, await response.json().catch(() => null));
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) readEvent(block, onEvent);
  }
}

/** The service writes one line of `event` and one of `data`. */
function readEvent(block: string, onEvent: (type: string, data: unknown) => void): void {
  const lineOf = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const [type, data] = [lineOf('event'), lineOf('data')];
  if (type && data) onEvent(type, JSON.parse(data));
}
