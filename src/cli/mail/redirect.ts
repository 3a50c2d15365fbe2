import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import { printable } from '../../platform/lib/printable.js';
import { CliError, EXIT } from '../errors.js';
import { note } from '../show.js';

/** Minutes that a person has for signing in. */
const MINUTES = 15;
const MAX_ERROR = 300;

/** What an answer of the provider has: a code, an error, or neither, because it's not ours. */
type Answer = { code: string } | { error: string } | null;

/**
 * Waits for the provider's answer: the browser brings it to the redirect address, or a person pastes the address.
 * @param state what the answer must repeat, so that it belongs to our request
 * @param ask called once the answer can arrive
 * @throws CliError if the provider refuses, or after 15 minutes
 */
export async function waitForCode(redirectUri: string, state: string, ask: () => void): Promise<string> {
  let resolve: (answer: Answer & object) => void;
  const answered = new Promise<Answer & object>((settle) => {
    resolve = settle;
  });
  const server = await listen(redirectUri, state, (answer) => resolve(answer));
  ask();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const answer = read(line.trim(), redirectUri, state);
    if (answer !== null) resolve(answer);
    else if (line.trim() !== '') note('this is not the address of the last page, or of another sign-in');
  });
  const timer = setTimeout(() => resolve({ error: `no answer within ${MINUTES} minutes` }), MINUTES * 60_000);
  try {
    const answer = await answered;
    if ('code' in answer) return answer.code;
    throw new CliError(EXIT.failed, `nothing was stored: ${answer.error}`);
  } finally {
    clearTimeout(timer);
    lines.close();
    server?.close();
    server?.closeAllConnections();
  }
}

// Where the port is taken, the address can still be pasted.
async function listen(
  redirectUri: string,
  state: string,
  answer: (answer: Answer & object) => void,
): Promise<Server | null> {
  const { hostname, port } = new URL(redirectUri);
  const server = createServer((request, response) => {
    const found = read(new URL(request.url ?? '/', redirectUri).href, redirectUri, state);
    response.writeHead(found === null ? 404 : 200, {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    });
    response.end(found === null ? 'Not found' : 'You can close this page.');
    if (found !== null) response.once('close', () => answer(found));
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(Number(port), hostname.replaceAll(/[[\]]/g, ''), () => resolve(true));
  });
  if (!isListening) note(`port ${port} is in use, so paste the address of the last page`);
  return isListening ? server : null;
}

function read(address: string, redirectUri: string, state: string): Answer {
  if (!URL.canParse(address)) return null;
  const [url, expected] = [new URL(address), new URL(redirectUri)];
  const given = url.searchParams;
  if (url.origin !== expected.origin || url.pathname !== expected.pathname || given.get('state') !== state) return null;
  const code = given.get('code');
  if (code) return { code };
  const said = [given.get('error'), given.get('error_description')].filter(Boolean).join(': ');
  return said === '' ? null : { error: printable(`the provider refuses: ${said}`.slice(0, MAX_ERROR)) };
}
