// A process that floods one route from its own address for some seconds. It prints one line of JSON: how many responses it got, and
// which (`refused`: an error, or the connection was closed).
// node bench/load/flood.mjs <door> <url> <seconds> <JSON: widgetKey, visitorToken, chatId>
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { WebSocket } from 'ws';

/** Another address of this machine, which owns all of 127.0.0.0/8. */
const ADDRESS = '127.0.0.2';
const CONNECTIONS = 32;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const [door, url, seconds, text = '{}'] = process.argv.slice(2);
const known = JSON.parse(text);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, localAddress: ADDRESS });
const answers = {};
const end = performance.now() + Number(seconds) * 1000;

const DOORS = {
  'admin, wrong token': () => ask('GET', '/api/admin/organizations', 'wrong'),
  'bot, no token of ours': () => ask('GET', '/api/bot/groups', 'prl_pat_nonsense'),
  'bot, unknown token': () => ask('GET', '/api/bot/groups', unknownToken()),
  'sessions, unknown widget key': () => ask('POST', '/api/visitor/sessions', '', { widgetKey: 'prl_wk_unknown' }),
  'sessions, one after the other': () =>
    ask('POST', '/api/visitor/sessions', '', { widgetKey: known.widgetKey, visitor: { name: 'x' } }),
  'visitor, unsigned token': () => ask('GET', '/api/visitor/chats', 'a.b.c'),
  'visitor, beyond the rate': () => ask('GET', '/api/visitor/chats', known.visitorToken),
  'visitor, new chats': () => ask('POST', '/api/visitor/chats', known.visitorToken, {}),
  'socket, opened and left': () => connection(() => undefined),
  'socket, unsigned token': () => connection((socket) => socket.send('40/visitor,{"token":"a.b.c"}')),
  'socket, 1,000 requests for a namespace': () =>
    connection((socket) => {
      for (let count = 0; count < 1_000; count++)
        socket.send(`40/visitor,${JSON.stringify({ token: known.visitorToken })}`);
    }),
  'socket, requests beyond the rate': () => busySocket(),
  'no such route': () => ask('GET', '/nothing/here'),
  '/widget.js': () => ask('GET', '/widget.js'),
  '/docs': () => ask('GET', '/docs'),
  '/api/bot/docs': () => ask('GET', '/api/bot/docs'),
  '/health/ready': () => ask('GET', '/health/ready'),
  '/metrics': () => ask('GET', '/metrics'),
};

if (door === undefined) {
  console.log(JSON.stringify(Object.keys(DOORS)));
} else {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, floodUntilEnd));
  console.log(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000, answers }));
  agent.destroy();
  process.exit();
}

async function floodUntilEnd() {
  while (performance.now() < end) {
    const answer = await DOORS[door]().catch(() => 'ended');
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
}

async function ask(method, path, token = '', body) {
  const headers = { 'content-type': 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  const outgoing = request(url + path, { method, agent, headers }).end(body && JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Opens a WebSocket, does something, and waits until the service responds or closes it. */
async function connection(act) {
  const socket = open();
  socket.once('message', () => act(socket));
  let packets = 0;
  socket.on('message', () => ++packets === 2 && socket.terminate());
  setTimeout(() => socket.terminate(), 500);
  await once(socket, 'close');
  return packets < 2 ? 'ended' : 'answered';
}

/** Sends requests over one socket while it's open. Each response counts. */
async function busySocket() {
  const socket = open();
  const count = (how) => (answers[how] = (answers[how] ?? 0) + 1);
  let id = 0;
  const sync = () => socket.send(`42/visitor,${++id}["sync",{"chatId":"${known.chatId}","afterSeq":0}]`);
  socket.on('message', (data) => {
    const packet = Buffer.from(data).toString();
    if (packet.startsWith('0')) socket.send(`40/visitor,${JSON.stringify({ token: known.visitorToken })}`);
    else if (packet.startsWith('40/visitor')) for (let ahead = 0; ahead < 16; ahead++) sync();
    else if (packet.startsWith('43')) {
      count(packet.includes('"ok":true') ? 200 : 429);
      sync();
    }
  });
  setTimeout(() => socket.terminate(), Math.max(0, end - performance.now()));
  await once(socket, 'close');
  return 'ended';
}

function open() {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    localAddress: ADDRESS,
  });
  socket.on('error', () => undefined);
  return socket;
}

/** An unknown token with a valid form and checksum. */
function unknownToken() {
  const body = `prl_pat_${Array.from(randomBytes(32), (byte) => ALPHABET[byte % 62]).join('')}`;
  let rest = crc32(body);
  let check = '';
  for (; check.length < 6; rest = Math.floor(rest / 62)) check = ALPHABET[rest % 62] + check;
  return body + check;
}
