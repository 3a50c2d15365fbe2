import { hasCode } from '../../headless/errors.js';
import { keepPush, type PushPage } from '../push/keep.js';
import { watchInput } from './input.js';

// What isn't part of the first load: it's loaded once an agent is signed in.

/** Drafts of a chat that the agent can't open are kept for this long, in milliseconds: the chat may come back. */
const UNSEEN_FOR_MS = 24 * 60 * 60 * 1000;
/** The maximum number of chats with old drafts that are checked. */
const MAX_LOOKS = 50;

/** What it needs of the page. Importing it would divide the files of the first load. */
interface Page extends PushPage {
  /** How the names of this agent's drafts begin. */
  drafts: string;
  forgetDrafts(chatId: string): void;
  get(path: string): Promise<unknown>;
}

/** Starts what can begin after the first view. Call this when an agent signs in. */
export function startLater(page: Page): void {
  watchInput();
  keepPush(page);
  forgetUnseen(page).catch(() => undefined);
}

/** Deletes drafts of chats that were erased, or that the agent may no longer see. */
async function forgetUnseen({ drafts, forgetDrafts, get }: Page): Promise<void> {
  for (const chatId of oldChats(drafts).slice(0, MAX_LOOKS)) {
    try {
      await get(`/chats/${chatId}`);
    } catch (error) {
      if (hasCode(error, 'not_found')) forgetDrafts(chatId);
    }
  }
}

function oldChats(prefix: string): string[] {
  const old = Object.entries(localStorage).filter(([name, kept]) => name.startsWith(prefix) && isOld(String(kept)));
  return [...new Set(old.map(([name]) => name.split(':').at(-1)!))];
}

function isOld(kept: string): boolean {
  try {
    return Date.now() - (JSON.parse(kept) as { at: number }).at > UNSEEN_FOR_MS;
  } catch {
    return false;
  }
}
