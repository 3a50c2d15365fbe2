import type { Chaos, Fault } from './chaos.js';
import { faultOf, type Turn } from './judge.js';
import type { TrafficLog } from './traffic-log.js';

/** A step of a script that the bot answered in another way. */
export interface Difference {
  step: number;
  say: string;
  difference: string;
}

interface Findings {
  turns: readonly Turn[];
  /** How many messages a turn's answer has. */
  answersOf: (turn: Turn) => number;
  /** Whether the bot gets a chat's events in order. */
  isOrdered: boolean;
  /** The steps of the script that the bot answered in another way. */
  differences: readonly Difference[];
  /** Messages that weren't sent because no bot was connected. */
  missing: number;
  /** Events that the bot didn't acknowledge. */
  unacknowledged: number;
  log: TrafficLog;
  chaos: Chaos | null;
  /** How the bot's process exited, if it exited early. */
  botEnd?: string;
}

interface Report {
  text: string;
  fields: { isExactlyOnce: boolean } & object;
}

/** The verdict, as text and as JSON fields. */
export function toReport({ turns, answersOf, isOrdered, differences, missing, ...rest }: Findings): Report {
  const { unacknowledged, log, chaos, botEnd } = rest;
  const wrong = turns.flatMap((turn) => {
    const fault = faultOf(turn, answersOf(turn), isOrdered);
    return fault === null ? [] : [{ seq: turn.seq, content: turn.content, fault }];
  });
  const isExactlyOnce = wrong.length === 0 && missing === 0 && botEnd === undefined;
  const { given, repeated } = log;
  const right = turns.length - wrong.length;
  const lines = [
    '',
    ...wrong.map(({ seq, content, fault }) => `  #${seq} ${content.split('\n').join(' ⏎ ')}: it ${fault}`),
    ...differences.map(({ step, say, difference }) => `  step ${step} (${say}): it ${difference}`),
    ...(chaos ? [describeChaos(chaos)] : []),
    `${given} events came to the bot, ${repeated} of them again`,
    ...(unacknowledged > 0 ? [`${unacknowledged} events are not marked as done: the bot would get them again`] : []),
    ...(botEnd === undefined ? [] : [`${botEnd} before the end`]),
    ...(missing > 0 ? ['there was no bot'] : []),
    isExactlyOnce ? `Exactly once: ${right} of ${turns.length}` : `NOT exactly once: ${right} of ${turns.length}`,
  ];
  const fields = {
    isExactlyOnce,
    messages: turns.length,
    exactlyOnce: right,
    faults: wrong,
    ...(differences.length > 0 && { differences }),
    events: given,
    repeatedEvents: repeated,
    unacknowledgedEvents: unacknowledged,
    ...(chaos && { seed: chaos.seed, chaos: Object.fromEntries(chaos.counts) }),
    ...(botEnd !== undefined && { botEnd }),
  };
  return { text: lines.join('\n'), fields };
}

const NAMES: { [fault in Fault]: string } = {
  delay: 'delays',
  refuse: '500s',
  cut: 'connections killed before the effect',
  fail: '503s after the effect',
  lose: 'answers lost',
  halve: 'answers cut in half',
  repeat: 'repetitions',
};

function describeChaos({ seed, counts }: Chaos): string {
  const parts = [...counts].map(([fault, count]) => `${count} ${NAMES[fault]}`);
  return `chaos (--seed ${seed}): ${parts.join(', ') || 'none'}`;
}
