import { io, type Socket } from 'socket.io-client';
import type { CliError } from '../errors.js';
import { reasonOf, type Item, type Service } from '../service.js';
import { attempt, type Check, failed, ok, warning, within } from './check.js';
import type { Database } from './database.js';
import { Receiver } from './receiver.js';
import { withoutTrailingSlashes } from '../../platform/lib/web-url.js';

/** The timeout of each step, in milliseconds. */
const STEP_TIMEOUT_MS = 10_000;
/** The same for each transport of the socket. */
const SOCKET_TIMEOUT_MS = 5_000;

const SOCKET_ADVICE = 'let the proxies before the service pass WebSockets: see docs/operate/websockets.md';

/** The advice unless the service itself knows more. */
const RETRY =
  'run it again; if it fails again, compare the node that answers with the others, and the proxies before them';

interface TestData {
  path: string;
  token: string;
  chatId: string;
  visitorToken: string;
  groupId: string;
}

/**
 * Sends a message from a bot to a visitor and to a webhook. Then an agent signs in, claims the chat, and sends a message. Creates
 * all of them in a new organization first, and deletes it afterwards even if a step fails.
 * @param interrupted rejects when the user interrupts the program
 * @param explain what the service says about a failure, with what to do; null: nothing
 */
export async function checkRoundTrip(
  service: Service,
  database: Database,
  interrupted: Promise<never>,
  explain: () => Promise<string | null>,
): Promise<Check[]> {
  let organization: Item;
  try {
    organization = await service.post('', { name: `parley doctor ${new Date().toISOString()}` });
  } catch (error) {
    return [failed('admin API', reasonOf(error), (await explain()) ?? adviceFor(error))];
  }
  const roundTrip = new RoundTrip(service, organization);
  const lastChecks = await Promise.race([roundTrip.run(database), interrupted]).catch((error: unknown) => [
    failed('round trip', reasonOf(error), RETRY),
  ]);
  roundTrip.close();
  // Copies the checks, because an interrupted round trip may still add some.
  const checks = [...roundTrip.checks, ...lastChecks];
  const said = checks.some(({ advice }) => advice === RETRY) ? await explain() : null;
  const explained = checks.map((check) => (check.advice === RETRY && said ? { ...check, advice: said } : check));
  return [...explained, await cleanUp(service, organization)];
}

/** The token is wrong only if the service says so. */
function adviceFor(error: unknown): string {
  const { status } = ((error as CliError).problem as { status?: number } | undefined) ?? {};
  return status === undefined || status === 401 || status === 403
    ? 'give this shell the ADMIN_TOKEN or the DATA_DIR of the service'
    : RETRY;
}

async function cleanUp(service: Service, { id, name }: Item): Promise<Check> {
  const advice = `delete it: parley organization delete ${id as string}`;
  const check = await attempt('clean-up', advice, async () => {
    await service.delete(`/${id as string}?now=true`);
    return ok('clean-up', 'the organization made for this is deleted');
  });
  return check.status === 'ok' ? check : { ...check, detail: `${name as string} is left behind: ${check.detail}` };
}

class RoundTrip {
  readonly checks: Check[] = [];
  /** The ids of the messages that the visitor received. */
  private readonly arrived = new Set<string>();
  private readonly receiver = new Receiver();
  private socket?: Socket;
  /** Why no WebSocket connected, if the socket polls. */
  private blocked?: string;

  constructor(
    private readonly service: Service,
    private readonly organization: Item,
  ) {}

  /** @returns the last checks. The earlier ones are in `checks` */
  async run(database: Database): Promise<Check[]> {
    this.checks.push(ok('admin API', 'the admin token is right'));
    const same = await isSameDatabase(database, this.organization.id as string);
    if (same) this.checks.push(same);
    const testData = await this.setUp();
    const webhook = await this.openWebhook(testData.path);
    const connected = await attempt('socket', SOCKET_ADVICE, () => this.connect(testData));
    const elapsed = stopwatch();
    const { id, check } = await this.send(testData, elapsed);
    this.checks.push(check);
    if (id === undefined) return [];
    const isConnected = connected.status === 'ok';
    const arrivals = await Promise.all([
      isConnected ? this.awaitSocket(id, elapsed) : connected,
      'check' in webhook ? webhook.check : this.awaitWebhook(webhook.path, id, elapsed),
    ]);
    this.checks.push(...arrivals);
    return [await this.checkAgent(testData, isConnected)];
  }

  close(): void {
    this.socket?.close();
    this.receiver.close();
  }

  private async setUp(): Promise<TestData> {
    const path = `/${this.organization.id as string}`;
    const bot = await this.service.post(`${path}/bots`, { name: 'doctor' });
    const { token } = await this.service.post(`${path}/bots/${bot.id as string}/tokens`, { name: 'doctor' });
    const chat = await this.service.post(`${path}/chats`, { visitor: { name: 'doctor' } });
    return {
      path,
      token: token as string,
      chatId: chat.id as string,
      visitorToken: chat.visitorToken as string,
      groupId: (chat.group as Item).id as string,
    };
  }

  /**
   * Creates a webhook to this program's receiver. Returns a warning with the reason if the service refuses it or can't reach the
   * receiver.
   */
  private async openWebhook(path: string): Promise<{ path: string } | { check: Check }> {
    const name = 'webhook';
    const url = await this.receiver.open();
    const created = await this.service
      .post(`${path}/webhooks`, { url, events: ['message.created'] })
      .catch((error: unknown) => reasonOf(error));
    if (typeof created === 'string') {
      const advice = 'only to try it: start the service with WEBHOOK_ALLOWED_HOSTS=127.0.0.1; or parley webhook ping';
      return { check: warning(name, `left out: the service says ${created}`, advice) };
    }
    this.receiver.secret = created.secret as string;
    const own = `${path}/webhooks/${created.id as string}`;
    const { status, error } = await this.service.post(`${own}/ping`);
    if (status === 200) return { path: own };
    const why = `left out: the service cannot reach this program (${String(error)})`;
    return { check: warning(name, why, 'run this on the machine, or in the container, of the service') };
  }

  /** Connects as the widget does: by WebSocket, or by long polling where that fails. */
  private async connect(testData: TestData): Promise<Check> {
    try {
      await this.openSocket(testData, 'websocket');
    } catch (error) {
      this.blocked = reasonOf(error);
      await this.openSocket(testData, 'polling').catch(() => {
        throw error;
      });
    }
    return ok('socket', 'connected');
  }

  private async openSocket({ visitorToken, chatId }: TestData, transport: string): Promise<void> {
    this.socket?.close();
    const socket = io(`${originOf(this.service)}/visitor`, {
      path: `${pathOf(this.service)}/socket.io`,
      auth: { token: visitorToken },
      transports: [transport],
      reconnection: false,
    });
    this.socket = socket;
    socket.on('message', ({ id }: { id: string }) => this.arrived.add(id));
    const connected = new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('connect_error', reject);
    });
    await within(SOCKET_TIMEOUT_MS, 'no connection', connected);
    const opened = (await socket.timeout(STEP_TIMEOUT_MS).emitWithAck('chat:open', { chatId })) as { ok: boolean };
    if (!opened.ok) throw new Error('the chat could not be opened');
  }

  private async send({ token, chatId }: TestData, elapsed: () => number): Promise<{ id?: string; check: Check }> {
    let id: string | undefined;
    const check = await attempt('bot API', RETRY, async () => {
      ({ id } = await this.call<{ id: string }>('/api/bot/messages', token, {
        chatId,
        content: 'Is everything all right?',
      }));
      return ok('bot API', `the message was stored after ${elapsed()} ms`);
    });
    return { id, check };
  }

  private awaitSocket(id: string, elapsed: () => number): Promise<Check> {
    return attempt('socket', RETRY, async () => {
      await this.awaitMessage(id);
      const detail = `the visitor had the message after ${elapsed()} ms`;
      if (!this.blocked) return ok('socket', detail);
      return warning('socket', `${detail}, by long polling: no WebSocket connects (${this.blocked})`, SOCKET_ADVICE);
    });
  }

  private async awaitMessage(id: string): Promise<void> {
    const arrival = new Promise<void>((resolve) => {
      if (this.arrived.has(id)) resolve();
      this.socket?.on('message', (message: { id: string }) => message.id === id && resolve());
    });
    await within(STEP_TIMEOUT_MS, 'the message did not arrive', arrival);
  }

  /** An agent signs in by a link, claims the chat, and sends a message. The visitor receives it if the socket is connected. */
  private checkAgent({ path, chatId, groupId }: TestData, isConnected: boolean): Promise<Check> {
    return attempt('agent API', RETRY, async () => {
      const fields = { name: 'doctor', email: 'doctor@example.com', groupIds: [groupId] };
      const agent = await this.service.post(`${path}/agents`, fields);
      const link = await this.service.post(`${path}/agents/${agent.id as string}/sign-in-links`);
      const { hash } = new URL(link.url as string);
      const { token } = await this.call<{ token: string }>('/api/agent/session/link', null, {
        token: hash.slice(1),
        mode: 'token',
      });
      const elapsed = stopwatch();
      const chat = `/api/agent/chats/${chatId}`;
      await this.call(`${chat}/claim`, token, {});
      const answer = await this.call<{ message: { id: string } }>(`${chat}/messages`, token, { content: 'It is.' });
      if (!isConnected) return ok('agent API', `an agent signed in, claimed the chat and wrote in ${elapsed()} ms`);
      await this.awaitMessage(answer.message.id);
      const detail = `an agent signed in, claimed the chat and wrote; the visitor had it after ${elapsed()} ms`;
      return ok('agent API', detail);
    });
  }

  /** Posts JSON. @throws Error with the status and detail if it fails */
  private async call<T>(path: string, token: string | null, body: object): Promise<T> {
    const response = await fetch(this.service.connection.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
    });
    const answer = (await response.json()) as T & { detail?: string };
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${answer.detail ?? ''}`);
    return answer;
  }

  private async awaitWebhook(path: string, id: string, elapsed: () => number): Promise<Check> {
    const name = 'webhook';
    const arrived = within(STEP_TIMEOUT_MS, 'the event did not arrive', this.receiver.next(id)).catch(
      (error: unknown) => reasonOf(error),
    );
    const isSigned = await arrived;
    if (isSigned === true) return ok(name, `the signed event arrived after ${elapsed()} ms`);
    if (isSigned === false)
      return failed(name, 'the signature of the event is wrong', 'see that no proxy changes bodies');
    const { deliveries } = await this.service.get<{ deliveries: { attempts: { error: string | null }[] }[] }>(
      `${path}/deliveries`,
    );
    const why = deliveries[0]?.attempts.at(-1)?.error ?? 'no attempt was made';
    return failed(name, `${isSigned}: ${why}`, 'with several nodes any of them sends: run this where only one is');
  }
}

/** Returns a function that returns the milliseconds since now. */
function stopwatch(): () => number {
  const begin = performance.now();
  return () => Math.round(performance.now() - begin);
}

async function isSameDatabase({ hasOrganization }: Database, id: string): Promise<Check | null> {
  if (!hasOrganization) return null;
  const name = 'same database';
  const advice =
    'give this shell the DATABASE_URL, or the DATA_DIR, of the service; or name the right service with --url';
  return attempt(name, advice, async () => {
    if (await hasOrganization(id)) return ok(name, 'the service stores where this program looked');
    return failed(name, 'the service stores elsewhere than this program looked', advice);
  });
}

function originOf({ connection }: Service): string {
  return new URL(connection.url).origin;
}

function pathOf({ connection }: Service): string {
  return withoutTrailingSlashes(new URL(connection.url).pathname);
}
