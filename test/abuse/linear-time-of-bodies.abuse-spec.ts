import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import { AgentsGateway } from '../../src/api/agent/agents.gateway.js';
import { VisitorsGateway } from '../../src/api/visitor/visitors.gateway.js';
import type { Class } from '../../src/platform/validation/validation-rules.js';
import { NO_RATE_LIMITS } from '../support/limits.js';
import { Parley } from '../support/parley.js';
import type { Tenant } from '../support/tenant.js';
import { COSTLY, ENCODINGS } from './support/costly.js';
import { RawSocket } from './support/raw-socket.js';
import { Refusals, type Refusal } from './support/refusals.js';
import { fieldsOf, type Route, routesOf, socketRequestsOf } from './support/routes.js';
import { Stranger } from './support/stranger.js';
import { ADMIN_TOKEN, Victim } from './support/victim.js';

/** Milliseconds for all requests of an audience, even on a busy machine. */
const PATIENCE = 900_000;
/** Maximum cost of a rejected request, in units: the CPU time of an accepted message with 10 kB of metadata. */
const MOST = 3;
/** The same for a body in one-byte pieces: Node reads 64 kB of them twice before the service sees the first. */
const MOST_OF_PIECES = 6;
/** Body sizes in bytes: more than any route takes, the maximum of the largest routes, and less. */
const SIZES = [260_000, 60_000, 180_000, 120_000, 10_300];
const UNKNOWN = ['x'];
/** The shapes that are sent in each encoding. */
const ENCODED = ['flat arrays', 'nested arrays', 'a text of escapes', 'blanks'];
/** The longest content of a message, escaped. */
const LONG = '\\ud83d\\ude00'.repeat(5_000);

const AUDIENCES = ['bot', 'visitor', 'agent', 'admin'] as const;

/** A shape that can be sent as the body of any request. */
interface Body {
  name: string;
  json: string;
  /** Whether this shape is sent in each encoding. */
  isEncoded: boolean;
}

describe('the CPU cost of rejected bodies', () => {
  let victim: Victim;
  let tenant: Tenant;
  let agentToken: string;
  /** The agent's own chat. A message to someone else's chat is rejected only after a lookup. */
  let agentChatId: string;
  let stranger: Stranger;
  let refusals: Refusals;
  let routes: Route[];
  let fields: Record<string, unknown>;

  beforeAll(async () => {
    const parley = await Parley.start();
    routes = routesOf(parley.app).filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
    await parley.stop();
    victim = await Victim.start(NO_RATE_LIMITS);
    tenant = await victim.createTenant();
    agentToken = await signIn();
    agentChatId = await claimChat();
    stranger = new Stranger(victim.url);
    const accepted = { chatId: tenant.chatId, content: 'hello', metadata: { a: 'x'.repeat(10_230) } };
    const accept = () => tenant.bot.post('/messages', accepted).expect(200);
    for (let count = 0; count < 200; count++) await accept();
    refusals = new Refusals(victim, accept);
    fields = { chatId: tenant.chatId, content: 'hello', widgetKey: tenant.widgetKey };
  });
  afterAll(async () => {
    stranger.close();
    await victim.stop();
  });

  const signIn = async (): Promise<string> => {
    const { body: agent } = await tenant.admin
      .post('/agents', { name: 'Ada', email: 'ada@example.com', role: 'ADMIN' })
      .expect(201);
    const { body: link } = await tenant.admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
    const token = new URL(link.url).hash.slice(1);
    const session = await fetch(`${victim.url}/api/agent/session/link`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, mode: 'token' }),
    });
    return ((await session.json()) as { token: string }).token;
  };
  const claimChat = async (): Promise<string> => {
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    const claim = { method: 'POST', headers: { Authorization: `Bearer ${agentToken}` } };
    const { status } = await fetch(`${victim.url}/api/agent/chats/${chat.id}/claim`, claim);
    expect(status).toBe(200);
    return chat.id as string;
  };
  const headersOf = ({ path }: Route, encoding: string): OutgoingHttpHeaders => {
    const tokens = { '/api/bot': tenant.token, '/api/visitor': tenant.visitorToken, '/api/agent': agentToken };
    const [, token] = Object.entries(tokens).find(([door]) => path.startsWith(door)) ?? [null, ADMIN_TOKEN];
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
    const isOpen = path.startsWith('/api/agent/session') || path === '/api/visitor/sessions';
    return isOpen ? headers : { ...headers, Authorization: `Bearer ${token}` };
  };
  const pathOf = ({ path }: Route) =>
    path.replace(/:(\w+)/g, (_, name) => {
      const chatId = path.startsWith('/api/agent/') ? agentChatId : tenant.chatId;
      return { organizationId: tenant.id, chatId }[name as string] ?? 'x';
    });

  /** Each shape in each field. Beside metadata, the other fields are valid and as long as allowed. */
  function* bodiesOf(type: Class | null): Iterable<Body> {
    for (const place of [...(type ? fieldsOf(type) : []), UNKNOWN]) {
      const isMetadata = place.at(-1) === 'metadata';
      const sizes = isMetadata ? SIZES : place === UNKNOWN ? SIZES.slice(0, 2) : [60_000];
      for (const long of isMetadata ? ['', LONG] : [''])
        for (const shape of Object.keys(COSTLY))
          for (const size of sizes) {
            const name = `${place.join('.')}: ${shape}, ${size}${long && ', with a long text'}`;
            const json = bodyWith(place, COSTLY[shape]!(size), isMetadata, long);
            yield { name, json, isEncoded: (isMetadata || place === UNKNOWN) && ENCODED.includes(shape) };
          }
    }
  }

  function bodyWith([first, second]: string[], costly: string, isMetadata: boolean, long: string): string {
    const value = second === undefined ? 'VALUE' : { [second]: 'VALUE' };
    const others = isMetadata ? { ...fields, ...(long && { content: 'LONG' }) } : {};
    return JSON.stringify({ ...others, [first!]: value })
      .replace('"VALUE"', () => (isMetadata ? `{"a":${costly}}` : costly))
      .replace('LONG', () => long);
  }

  function* requestsOf(route: Route): Iterable<Refusal> {
    const { method, path, body } = route;
    for (const { name, json, isEncoded } of bodiesOf(body)) {
      for (const encoding of isEncoded ? Object.keys(ENCODINGS) : ['identity']) {
        const bytes = ENCODINGS[encoding]!(json);
        const send = async () => {
          const { status } = await stranger.ask(method, pathOf(route), headersOf(route, encoding), bytes);
          return status >= 400;
        };
        yield { name: `${method} ${path} ${name}, ${encoding}`, send };
      }
    }
  }

  function* requestsOfAll(all: readonly Route[]): Iterable<Refusal> {
    for (const route of all) yield* requestsOf(route);
  }

  function* packetsOf(namespace: string, gateway: { prototype: object }, token: string): Iterable<Refusal> {
    let socket: RawSocket | undefined;
    const connected = async () =>
      !socket || socket.isClosed ? (socket = await RawSocket.connect(victim.url, token, namespace)) : socket;
    for (const { event, body } of [...socketRequestsOf(gateway), { event: 'nothing', body: null }]) {
      for (const { name, json } of bodiesOf(body)) {
        const send = async () => !(await (await connected()).exchange(namespace, event, json))?.ok;
        yield { name: `${namespace} ${event} ${name}`, send };
      }
    }
    socket?.close();
  }

  /** A body in pieces of one byte. */
  function piecesOf(count: number): Refusal {
    const head = ['POST /api/bot/messages HTTP/1.1', 'Host: x', `Authorization: Bearer ${tenant.token}`];
    const chunked = [...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n');
    const send = () => stranger.shout(chunked + '1\r\n \r\n'.repeat(count)).then(() => true);
    return { name: `${count} pieces`, send };
  }

  /** Many packets in the body of one polling request. */
  function* polls(): Iterable<Refusal> {
    const poll = '/socket.io/?EIO=4&transport=polling';
    for (const packet of ['6', '4', '42["sync",{}]']) {
      const packets = Array(Math.floor(260_000 / (packet.length + 1)))
        .fill(packet)
        .join('\u001e');
      const send = async () => {
        const { sid } = JSON.parse((await stranger.ask('GET', poll)).text.slice(1)) as { sid: string };
        await stranger.ask('POST', `${poll}&sid=${sid}`, { 'Content-Type': 'text/plain' }, packets);
        return true;
      };
      yield { name: `a poll of ${packet}`, send };
    }
  }

  it('a rejected body in one-byte pieces costs at most a few times an accepted message', async () => {
    expect(await refusals.findCostly([piecesOf(2_000), piecesOf(10_000), ...polls()], MOST)).toEqual([]);
    expect(await refusals.findCostly([piecesOf(120_000)], MOST_OF_PIECES)).toEqual([]);
  });

  it.each(AUDIENCES)(
    'a rejected body for a route of %s costs about as little as an accepted one',
    async (audience) => {
      // Messages first: other routes give the chat away.
      const own = routes
        .filter(({ path }) => path.startsWith(`/api/${audience}/`))
        .toSorted((one, other) => Number(other.path.endsWith('/messages')) - Number(one.path.endsWith('/messages')));
      expect(own.length).toBeGreaterThan(5);
      expect(await refusals.findCostly(requestsOfAll(own), MOST)).toEqual([]);
    },
    PATIENCE,
  );

  it.each([
    ['visitor', VisitorsGateway, () => tenant.visitorToken],
    ['agent', AgentsGateway, () => agentToken],
  ])(
    'a rejected packet on a socket of %s costs about as little as an accepted one',
    async (namespace, gateway, token) => {
      fields.chatId = namespace === 'agent' ? agentChatId : tenant.chatId;
      expect(await refusals.findCostly(packetsOf(namespace, gateway, token()), MOST)).toEqual([]);
    },
    PATIENCE,
  );
});
