import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../setup/database.mjs';

const TOTALS = 'SELECT (SELECT sum(message_count) FROM chats) AS counted, (SELECT count(*) FROM messages) AS stored';
const PATIENCE = 10_000;

/** Every confirmed message must be stored and counted. More may be stored only if the end of a round cut requests off. */
export async function verifyStored({ name, databaseUrl, before, answered, cutOff }) {
  const [{ counted, stored }] = await query(databaseUrl, TOTALS);
  const facts = `${answered} answered, ${stored - before} stored, ${counted - before} counted in their chats`;
  const extra = stored - before - answered;
  if (counted !== stored || extra < 0 || extra > cutOff)
    throw new Error(`the messages of ${name} do not add up: ${facts}`);
  console.log(`  verified  ${name.padEnd(22)} ${facts}`);
}

/** What visitors received, chat by chat, for comparison with the stored messages. */
export class Arrivals {
  constructor(side, chats) {
    this.side = side;
    this.seqs = new Map(chats.map(({ id }) => [id, []]));
  }

  async begin() {
    this.first = await this.counts();
  }

  take = ({ chatId, seq }) => this.seqs.get(chatId).push(seq);

  /** Every visitor must have received every message of the chat once. Returns how many came out of order. */
  async verify() {
    const last = await this.settled();
    let late = 0;
    for (const [id, seqs] of this.seqs) {
      late += seqs.filter((seq, index) => index > 0 && seq < seqs[index - 1]).length;
      seqs.sort((a, b) => a - b);
      const isExact = seqs.every((seq, index) => seq === this.first.get(id) + index + 1);
      if (!isExact || seqs.length !== last.get(id) - this.first.get(id))
        throw new Error(`a visitor of ${this.side.name} did not get every message once: ${seqs.length} of ${id}`);
    }
    const order = late === 0 ? 'in order' : `${late} of them after a later one`;
    console.log(`  received  ${this.side.name.padEnd(22)} ${this.count} by ${this.seqs.size} visitors, once, ${order}`);
  }

  get count() {
    return [...this.seqs.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Waits for messages that were cut off as the load ended and may still be on their way. */
  async settled() {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const last = await this.counts();
      const expected = [...last].reduce((sum, [id, count]) => sum + count - this.first.get(id), 0);
      if (this.count >= expected || Date.now() > deadline) return last;
      await sleep(100);
    }
  }

  async counts() {
    const text = 'SELECT id, message_count FROM chats WHERE id = ANY ($1::text[])';
    const rows = await query(this.side.databaseUrl, text, [[...this.seqs.keys()]]);
    return new Map(rows.map((row) => [row.id, row.message_count]));
  }
}
