import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Sizes of a full run. `commits`, `lists`, `search`, and `citus` run only by name: the first needs another commit, the second takes 15 minutes,
 * both lists and searches have no row in the table, and the last needs a cluster.
 */
const FULL = {
  rounds: 5,
  seconds: 8,
  fill: { chats: 200_000, messages: 5_000_000 },
  idleVisitors: 5_000,
  cutVisitors: 1_000,
  waitingCalls: 1_000,
  heavyRounds: 3,
  starts: 7,
  lists: {
    chats: 1_000_000,
    agents: 10_000,
    tokens: 10_000,
    organizations: 2_000,
    deliveries: 1_000_000,
    longChat: 50_000,
  },
  search: { chats: 20_000 },
  agents: {
    connected: 1_000,
    chats: 1_000,
    claimers: 50,
    waiting: 1_000,
    absent: 20,
    few: { chats: 20_000, agents: 1_000, tokens: 10, organizations: 10, deliveries: 1_000, longChat: 400 },
    closed: 500_000,
    asked: 100,
  },
  console: { rows: 1_000, opened: 16, switches: 64, longChat: 10_000, loads: 5, seconds: 40, hour: 500, keys: 200 },
  widget: { opens: 7 },
  citus: { chats: 1_000 },
  without: ['commits', 'lists', 'search', 'citus'],
};

/** Sizes of a run of about two minutes, to see if something broke. Omits parts without a row in the table. */
const QUICK = {
  rounds: 2,
  seconds: 2,
  fill: { chats: 10_000, messages: 200_000 },
  idleVisitors: 2_000,
  cutVisitors: 200,
  waitingCalls: 200,
  heavyRounds: 1,
  starts: 5,
  lists: { chats: 20_000, agents: 1_000, tokens: 1_000, organizations: 200, deliveries: 20_000, longChat: 50_000 },
  search: { chats: 2_000 },
  agents: {
    connected: 200,
    chats: 100,
    claimers: 20,
    waiting: 100,
    absent: 5,
    few: { chats: 4_000, agents: 1_000, tokens: 10, organizations: 10, deliveries: 1_000, longChat: 400 },
    closed: 20_000,
    asked: 10,
  },
  console: { rows: 200, opened: 16, switches: 16, longChat: 2_000, loads: 2, seconds: 5, hour: 150, keys: 40 },
  widget: { opens: 2 },
  citus: { chats: 200 },
  without: [
    'webhooks',
    'pull',
    'livetext',
    'nodes',
    'doors',
    'commits',
    'lists',
    'search',
    'citus',
    'agents',
    'console',
    'widget',
  ],
};

/**
 * Parses the command line. `only` lists the parts to run, `against` is the directory of another built commit.
 * @throws Error for an unknown option or part
 */
export function readOptions(partNames) {
  const text = { type: 'string' };
  const known = {
    quick: { type: 'boolean', default: false },
    rounds: text,
    seconds: text,
    only: text,
    against: text,
    chats: text,
  };
  const { values } = parseArgs({ options: known });
  const sizes = values.quick ? QUICK : FULL;
  const only =
    values.only?.split(',').map((name) => name.trim()) ??
    partNames.filter((name) => !name.includes(':') && !sizes.without.includes(name));
  const unknown = only.find((name) => !partNames.includes(name));
  if (unknown !== undefined) throw new Error(`--only: there is no part ${unknown}; parts: ${partNames.join(', ')}`);
  return {
    ...sizes,
    isQuick: values.quick,
    search: values.chats === undefined ? sizes.search : { chats: Number(values.chats) },
    only,
    against: values.against && resolve(values.against),
    isWhole: !values.quick && values.only === undefined,
    rounds: count('rounds', values.rounds ?? sizes.rounds),
    heavyRounds: count('rounds', values.rounds ?? sizes.heavyRounds),
    seconds: count('seconds', values.seconds ?? sizes.seconds),
  };
}

function count(name, value) {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} must be an integer from 1 to 9999`);
  return Number(value);
}
