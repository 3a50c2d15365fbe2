import { signal } from '@preact/signals';
import { me, signOut } from '../session.js';

/** Drafts that were not touched for this long are thrown away, in milliseconds. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;
const PREFIX = 'parley:draft:';

export type DraftKind = 'message' | 'note';

const version = signal(0);
const texts = new Map<string, string>();

/** What the agent has begun to write in a chat; reading it follows its changes. */
export function draftOf(chatId: string, kind: DraftKind): string {
  void version.value;
  const key = keyOf(chatId, kind);
  const text = texts.get(key) ?? read(key);
  texts.set(key, text);
  return text;
}

/** Keeps a draft, also beyond a reload and a session that ends without signing out. */
export function setDraft(chatId: string, kind: DraftKind, text: string): void {
  const key = keyOf(chatId, kind);
  texts.set(key, text);
  version.value++;
  try {
    if (text) localStorage.setItem(key, JSON.stringify({ text, at: Date.now() }));
    else localStorage.removeItem(key);
  } catch {
    // The storage is full or forbidden: the draft lives as long as the page.
  }
}

/** Follows what other tabs write and send: a draft is the same in all of them. To be called once. */
export function keepDrafts(): void {
  addEventListener('storage', ({ key }) => {
    // Without a key everything was removed.
    if (key === null) texts.clear();
    else if (!texts.delete(key)) return;
    version.value++;
  });
  removeOldDrafts();
}

/** Removes drafts that are too old to be wanted. */
function removeOldDrafts(): void {
  removeStored((key) => key.startsWith(PREFIX) && !(Date.now() - (parse(key)?.at ?? 0) < KEPT_FOR));
}

/** Ends this session, and removes the agent's drafts: others may use the browser next. @throws RequestError */
export async function signOutWithDrafts(): Promise<void> {
  const prefix = prefixOf(me().id);
  await signOut();
  texts.clear();
  removeStored((key) => key.startsWith(prefix));
}

function removeStored(isUnwanted: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage).filter(isUnwanted)) localStorage.removeItem(key);
  } catch {
    // Without a storage there are none.
  }
}

function read(key: string): string {
  try {
    return parse(key)?.text ?? '';
  } catch {
    return '';
  }
}

function parse(key: string): { text: string; at: number } | null {
  const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as { text?: unknown; at?: unknown } | null;
  return typeof kept?.text === 'string' && typeof kept.at === 'number' ? { text: kept.text, at: kept.at } : null;
}

// By agent: several people may use one browser.
function keyOf(chatId: string, kind: DraftKind): string {
  return `${prefixOf(me().id)}${kind}:${chatId}`;
}

function prefixOf(agentId: string): string {
  return `${PREFIX}${agentId}:`;
}
