import { writeRequests } from '../load/load.mjs';
import { sender } from '../setup/pair.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';
import { someChatsOf } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';

/** Compares sends into one chat, which all change its row, with sends spread over all chats. */
export async function measureHotChat(bench) {
  const { parley, requestsFile } = await bench.pair();
  const hotFile = await writeRequests(bench, 'hot-chat', someChatsOf(bench.tenants, 1));
  const [hot, spread] = await inTurns(
    [
      sender(bench, parley, hotFile, { name: 'one hot chat' }),
      sender(bench, parley, requestsFile, { name: '1,000 chats' }),
    ],
    bench.rounds,
  );
  await verifyStored(parley);
  return [
    row({
      key: 'hot',
      measure: 'sends a second into one hot chat, 64 connections',
      unit: '/s',
      ours: { name: 'Parley', values: pluck(hot, 'perSecond') },
      theirs: { name: 'Parley, 1,000 chats', values: pluck(spread, 'perSecond') },
      atLeast: 0.7,
      aim: 1,
    }),
  ];
}
