import { expect } from '@jest/globals';
import { EntityManager } from 'typeorm';
import { type Change, type ChangePage, ChangesService } from '../../../src/changes/changes.service.js';
import { transaction } from '../../../src/platform/database/transaction.js';
import type { Parley } from '../../support/parley.js';

interface CopiedMessage {
  seq: number;
  content: string;
  isDeleted: boolean;
}

interface CopiedChat {
  status: string;
  rev: number;
  visitor: string | null;
  messages: CopiedMessage[];
}

/** A copy of an organization's chats that is made of changes only, as an index is. */
export class Follower {
  readonly copy = new Map<string, CopiedChat>();
  /** Every change that was applied, in order. */
  readonly applied: Change[] = [];

  constructor(
    private readonly parley: Parley,
    private readonly organizationId: string,
    private readonly name = 'test',
    private readonly limit?: number,
  ) {}

  read(): Promise<ChangePage> {
    return this.parley.app.get(ChangesService).read(this.organizationId, this.name, this.limit);
  }

  /** Applies a page and moves on; false when another process has moved the reader. */
  async apply(page: ChangePage): Promise<boolean> {
    const { app } = this.parley;
    const isOurs = await transaction(app.get(EntityManager), (tx) => app.get(ChangesService).advance(tx, page));
    if (isOurs) for (const change of page.changes) await this.applyChange(change);
    return isOurs;
  }

  /** Reads until there's nothing more. */
  async follow(): Promise<void> {
    for (;;) {
      const page = await this.read();
      expect(await this.apply(page)).toBe(true);
      if (page.from.chatId === null && page.changes.length === 0) return;
    }
  }

  /** What the copy has to be. */
  async truth(): Promise<Map<string, CopiedChat>> {
    const chats = await this.parley.query<{ id: string }>('SELECT id FROM chats WHERE organization_id = $1', [
      this.organizationId,
    ]);
    const rows = await Promise.all(chats.map(async ({ id }) => [id, await this.readChat(id, 0)] as const));
    return new Map(rows as [string, CopiedChat][]);
  }

  async expectTruth(): Promise<void> {
    const byId = (chats: Map<string, CopiedChat>) => [...chats].toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect(byId(this.copy)).toEqual(byId(await this.truth()));
  }

  private async applyChange(change: Change): Promise<void> {
    this.applied.push(change);
    if ('chatId' in change) return this.replace(change.chatId, change.afterSeq);
    const chats = await this.parley.query<{ id: string }>(
      'SELECT id FROM chats WHERE organization_id = $1 AND visitor_id = $2',
      [this.organizationId, change.visitorId],
    );
    for (const { id } of chats) {
      const old = this.copy.get(id);
      const { visitor } = (await this.readChat(id, 0))!;
      if (old) this.copy.set(id, { ...old, visitor });
    }
  }

  private async replace(chatId: string, afterSeq: number): Promise<void> {
    const chat = await this.readChat(chatId, afterSeq);
    if (!chat) {
      this.copy.delete(chatId);
      return;
    }
    const kept = (this.copy.get(chatId)?.messages ?? []).filter(({ seq }) => seq <= afterSeq);
    this.copy.set(chatId, { ...chat, messages: [...kept, ...chat.messages] });
  }

  private async readChat(id: string, afterSeq: number): Promise<CopiedChat | null> {
    const [chat] = await this.parley.query<CopiedChat>(
      `SELECT c.status, c.rev, v.name AS visitor, COALESCE((
         SELECT json_agg(json_build_object('seq', m.seq, 'content', m.content, 'isDeleted', m.deleted_at IS NOT NULL) ORDER BY m.seq)
         FROM messages m WHERE m.organization_id = c.organization_id AND m.chat_id = c.id AND m.seq > $3), '[]') AS messages
       FROM chats c JOIN visitors v ON v.organization_id = c.organization_id AND v.id = c.visitor_id
       WHERE c.organization_id = $1 AND c.id = $2`,
      [this.organizationId, id, afterSeq],
    );
    return chat ?? null;
  }
}
