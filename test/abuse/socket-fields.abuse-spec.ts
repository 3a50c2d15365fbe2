import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VisitorsGateway } from '../../src/api/visitor/visitors.gateway.js';
import { SOCKET_REQUESTS } from '../../src/live/feeds/live-metrics.js';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';
import { BODIES, HOSTILE } from './support/hostile.js';
import { fieldsOf, socketRequestsOf } from './support/routes.js';

const PLACE = 'place of what is hostile';
/** Milliseconds within which a request must be acked, or its socket closed. */
const PATIENCE = 10_000;

interface Engine {
  send(text: string): void;
  on(event: 'message', handler: (data: unknown) => void): void;
  off(event: 'message', handler: (data: unknown) => void): void;
}

describe("visitors' socket requests with hostile fields", () => {
  let parley: Parley;
  let tenant: Tenant;
  let fields: Record<string, unknown>;
  let visitor: VisitorSocket | null = null;
  const faults: string[] = [];
  let asked = 0;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    fields = { chatId: tenant.chatId, content: 'hello', afterSeq: 0, seq: 1, isTyping: true };
  });
  afterAll(() => parley.stop());

  const connected = async () => {
    if (!visitor?.socket.connected) visitor = await parley.connectVisitor(tenant.visitorToken);
    return visitor;
  };

  // Sends the packet as bytes, where the client would encode JSON. Returns the ack, or that the socket was closed.
  const send = async (title: string, packet: (id: number) => string): Promise<any> => {
    const { socket } = await connected();
    const engine = (socket.io as unknown as { engine: Engine }).engine;
    const id = 1_000 + asked++;
    const answer = await new Promise<any>((resolve) => {
      const end = (outcome: unknown) => {
        clearTimeout(timer);
        engine.off('message', hear);
        socket.off('disconnect', onClose);
        resolve(outcome);
      };
      const timer = setTimeout(() => end(null), PATIENCE);
      const onClose = () => end('closed');
      const hear = (data: unknown) => {
        const start = `3/visitor,${id}`;
        if (typeof data === 'string' && data.startsWith(start)) end(JSON.parse(data.slice(start.length))[0]);
      };
      engine.on('message', hear);
      socket.once('disconnect', onClose);
      engine.send(packet(id));
    });
    const code = answer?.error?.code;
    if (answer === null) faults.push(`${title}: neither acked nor closed`);
    else if (['internal_error', 'unavailable'].includes(code)) faults.push(`${title}: ${JSON.stringify(answer)}`);
    else if (answer !== 'closed' && typeof answer.ok !== 'boolean') faults.push(`${title}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const sendBody = (event: string, title: string, json: string) =>
    send(`${event} ${title}`, (id) => `2/visitor,${id}["${event}",${json}]`);
  const expectAllGood = async () => {
    expect(faults.splice(0)).toEqual([]);
    const next = await parley.connectVisitor(tenant.visitorToken);
    expect(await next.ask('chat:open', {})).toMatchObject({ ok: true, chat: { id: tenant.chatId } });
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'still here' }).expect(200);
    expect(await next.next('message')).toMatchObject({ content: 'still here' });
    next.close();
  };

  it('a socket request with any hostile field is acked, or its socket closed', async () => {
    const requests = socketRequestsOf(VisitorsGateway);
    expect(requests.map(({ event }) => event).sort()).toEqual([...SOCKET_REQUESTS].sort());
    for (const { event, body } of requests) {
      for (const [first, second] of fieldsOf(body)) {
        const value = second === undefined ? PLACE : { [second]: PLACE };
        const whole = JSON.stringify({ ...fields, [first!]: value });
        for (const [name, hostile] of Object.entries(HOSTILE)) {
          const json = whole.replace(`"${PLACE}"`, () => hostile);
          await sendBody(event, `${first}.${second} ${name}`, json);
        }
      }
    }
    await expectAllGood();
  });

  it("a socket request whose payload isn't an object is acked, or its socket closed", async () => {
    for (const event of [
      ...SOCKET_REQUESTS,
      'nothing',
      'constructor',
      '__proto__',
      'hasOwnProperty',
      '\\ud800',
      '\\u0000',
    ]) {
      for (const [name, body] of Object.entries(BODIES)) await sendBody(event, name, body || 'null');
      await send(`${event} without a body`, (id) => `2/visitor,${id}["${event}"]`);
      await send(`${event} with much`, (id) => `2/visitor,${id}["${event}",{},[],null,1,"x",{}]`);
    }
    await expectAllGood();
  });

  it('a socket that sends invalid packets is closed, and other clients are served', async () => {
    const packets = [
      '',
      '2',
      '2/visitor',
      '2/visitor,',
      '2/visitor,1',
      '2/visitor,1[]',
      '2/visitor,1{}',
      '2/visitor,1[null]',
      '2/visitor,1[1,{}]',
      '2/visitor,1["disconnect"]',
      '2/visitor,1["connect",{}]',
      '2/visitor,1["error",{}]',
      '2/visitor,1["newListener",{}]',
      '2/visitor,99999999999999999999["sync",{}]',
      '2/visitor,-1["sync",{}]',
      '2/elsewhere,1["sync",{}]',
      '0/elsewhere,{}',
      '0/visitor,[]',
      '3/visitor,1[]',
      '3/visitor,1[{"ok":true}]',
      '4/visitor,{}',
      '5/visitor,1["sync",{}]',
      '51-/visitor,1["sync",{"_placeholder":true,"num":0}]',
      '5999999999-/visitor,1["sync",{}]',
      '51-/visitor,1["sync",{"_placeholder":true,"num":-1}]',
      '61-/visitor,1[{"_placeholder":true,"num":0}]',
      '9',
      'x',
      '\u0000',
      '\ud800',
      '2/visitor,1["sync",',
      `2/${'x'.repeat(100_000)},1["sync",{}]`,
      '['.repeat(100_000),
    ];
    for (const packet of packets) {
      const { socket } = await connected();
      (socket.io as unknown as { engine: Engine }).engine.send(packet);
      // The next request is answered, or the socket is closed.
      await sendBody('sync', `after ${packet.slice(0, 40)}`, JSON.stringify(fields));
    }
    await expectAllGood();
  });

  it('a socket with an invalid token is rejected', async () => {
    for (const [name, hostile] of Object.entries(HOSTILE)) {
      // Values that the client itself can't encode as JSON.
      if (hostile.length > 20_000 || hostile === 'NaN') continue;
      const refused = await VisitorSocket.connect(parley.url, JSON.parse(hostile)).then(
        (socket) => socket.close(),
        (error: unknown) => error as { data?: { code: string } },
      );
      if (refused?.data?.code !== 'unauthorized') faults.push(`${name}: ${JSON.stringify(refused)}`);
    }
    await expectAllGood();
  });
});
