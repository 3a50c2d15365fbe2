import { setTimeout as sleep } from 'node:timers/promises';
import { free, number, text, time } from '../columns.js';
import { onInterruption } from '../interruption.js';
import type { Noun } from '../noun.js';
import type { Item } from '../service.js';
import { out } from '../show.js';
import { printable } from '../../platform/lib/printable.js';
import { toJson } from '../text.js';
import type { ItemClient } from '../verbs.js';

/** Milliseconds between two polls, and the turns that each reads. */
const INTERVAL_MS = 1_000;
const LOOKED_AT = 200;

const TURN: Noun = {
  name: 'turn',
  about: 'the answers of a connected bot',
  columns: [
    text('id'),
    text('status'),
    text('code'),
    text('chatId', 'chat'),
    number('runs', ({ runs }) => (runs as Item[]).length),
    number('first word (ms)', ({ firstTokenMs }) => firstTokenMs),
    { ...number('tokens', ({ usage }) => tokensOf(usage as Usage)), isExtra: true },
    time('createdAt', 'created (utc)'),
    { ...free('detail', detailOf), isExtra: true },
  ],
};

type Usage = { inputTokens?: number; outputTokens?: number } | null;

/** Prints the turns of a bot. */
export class BotTurns {
  private readonly interrupted = new AbortController();

  constructor(
    private readonly bot: ItemClient,
    private readonly status: string | undefined,
  ) {}

  async print(limit: number): Promise<void> {
    this.bot.show.page(TURN, await this.list(limit));
  }

  /** Prints turns that end from now on, until the program is interrupted. */
  async follow(): Promise<void> {
    onInterruption(() => this.interrupted.abort());
    let known = new Set((await this.ended()).map(({ id }) => id));
    while (!this.interrupted.signal.aborted) {
      await sleep(INTERVAL_MS, undefined, { signal: this.interrupted.signal }).catch(() => undefined);
      const ended = await this.ended();
      for (const turn of ended.filter(({ id }) => !known.has(id)).toReversed()) this.show(turn);
      known = new Set(ended.map(({ id }) => id));
    }
  }

  private async ended(): Promise<Item[]> {
    const { turns } = await this.list(LOOKED_AT);
    return (turns as Item[]).filter(({ endedAt }) => endedAt !== null);
  }

  private list(limit: number): Promise<Item> {
    const filter = this.status === undefined ? {} : { status: this.status };
    return this.bot.service.list(`${this.bot.path}/turns`, 'turns', filter, { limit });
  }

  private show(turn: Item): void {
    if (this.bot.isJson) return out(toJson(turn, 0));
    const { endedAt, status, code, chatId, firstTokenMs } = turn;
    const first = firstTokenMs === null ? [] : [`${firstTokenMs as number} ms`];
    const why = code === null ? [] : [code, detailOf(turn)];
    out(printable([endedAt, status, chatId, ...first, ...why].filter(Boolean).join('  ')));
  }
}

function tokensOf(usage: Usage): number | null {
  return usage && (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** Why the last run failed. */
function detailOf({ runs }: Item): unknown {
  return (runs as Item[]).at(-1)?.detail;
}
