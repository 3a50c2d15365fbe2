import { startBare } from '../setup/bare-setup.mjs';
import { Posts } from '../load/posts.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { number, row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';
import { someChatsOf } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';
import { connectVisitor, connectVisitors, disconnectVisitors } from '../load/visitors.mjs';

const BACKLOG = 50;
const CONNECTIONS = 64;

/** Visitors who are all cut off and reconnect together, each with a backlog. */
export async function measureReturn(bench) {
  const { parley } = await bench.pair();
  const bare = await startBare();
  const chats = someChatsOf(bench.tenants, bench.cutVisitors);
  const contenders = [parley, bare].map((side) => ({ name: side.name, run: () => comeBack(side, chats) }));
  const [ours, theirs] = await inTurns(contenders, bench.heavyRounds);
  await bare.stop();
  await verifyStored(parley);
  return [
    row({
      key: 'back',
      measure: `${number(chats.length)} visitors cut off and reconnecting, until all have their ${BACKLOG} messages`,
      unit: 'ms',
      ours: { name: 'Parley', values: pluck(ours, 'ms') },
      theirs: { name: 're-sent from memory', values: pluck(theirs, 'ms') },
      atLeast: null,
      aim: 3,
      isLessBetter: true,
    }),
  ];
}

async function comeBack(side, chats) {
  const connected = await connectVisitors(side, chats);
  const known = chats.map((chat, index) => ({ ...chat, afterSeq: connected[index].opened.latestSeq }));
  disconnectVisitors(connected);
  const posts = new Posts(side, CONNECTIONS);
  for (let count = 1; count <= BACKLOG; count++) await posts.sendAll(chats, `missed ${count}`);
  await posts.close();
  const start = performance.now();
  const back = await Promise.all(known.map((chat) => connectVisitor(side, chat)));
  const ms = performance.now() - start;
  back.forEach(({ opened }, index) => check(side, opened.messages, known[index].afterSeq));
  disconnectVisitors(back);
  return { ms };
}

function check({ name }, messages, afterSeq) {
  const isExact = messages.length === BACKLOG && messages.every(({ seq }, index) => seq === afterSeq + index + 1);
  if (!isExact) throw new Error(`a visitor of ${name} came back and did not get its backlog in order`);
}
