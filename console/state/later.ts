import { hasCode } from '../../headless/errors.js';
import type { KeptMessage } from '../../headless/outbox-store.js';
import { keepPush, type PushPage } from '../push/keep.js';
import { watchInput } from './input.js';

// What isn't part of the first load: it's loaded once an agent is signed in.

/** What an agent wrote in a chat that they can't open is kept for this long, in milliseconds: the chat may come back. */
const UNSEEN_FOR_MS = 24 * 60 * 60 * 1000;
/** The maximum number of chats with old drafts or unsent messages that are checked. */
const MAX_LOOKS = 50;

/** What it needs of the page. Importing it would divide the files of the first load. */
interface Page extends PushPage {
  /** How the names of this agent's drafts begin. */
  drafts: string;
  /** This agent's unconfirmed messages. */
  pending: { value: readonly KeptMessage[] };
  /** Deletes what this browser has of a chat. */
  forgetChat(chatId: string): void;
  get(path: string): Promise<unknown>;
}

/** Starts what can begin after the first view. Call this when an agent signs in. */
export function startLater(page: Page): void {
  watchInput();
  keepPush(page);
  forgetUnseen(page).catch(() => undefined);
}

/** Deletes drafts and unsent messages of chats that were erased, or that the agent may no longer see. */
async function forgetUnseen({ drafts, pending, forgetChat, get }: Page): Promise<void> {
  const chatIds = new Set([...chatsOfDrafts(drafts), ...chatsOfMessages(pending.value)]);
  for (const chatId of [...chatIds].slice(0, MAX_LOOKS)) {
    try {
      await get(`/chats/${chatId}`);
    } catch (error) {
      if (hasCode(error, 'not_found')) forgetChat(chatId);
    }
  }
}

function chatsOfDrafts(prefix: string): string[] {
  const old = Object.entries(localStorage).filter(
    ([name, kept]) => name.startsWith(prefix) && isOld(timeOf(String(kept))),
  );
  return old.map(([name]) => name.split(':').at(-1)!);
}

function chatsOfMessages(messages: readonly KeptMessage[]): string[] {
  return messages.filter(({ createdAt }) => isOld(Date.parse(createdAt))).map(({ chatId = '' }) => chatId);
}

function isOld(at: number): boolean {
  return Date.now() - at > UNSEEN_FOR_MS;
}

function timeOf(kept: string): number {
  try {
    return (JSON.parse(kept) as { at: number }).at;
  } catch {
    return NaN;
  }
}
