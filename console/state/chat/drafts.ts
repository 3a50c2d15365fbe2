import { signal } from '@preact/signals';
import { ownName } from '../../lib/service.js';
import { me, signOut } from '../session.js';

/** Drafts untouched for this long are deleted. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;
const PREFIX = ownName('draft:');

export type DraftKind = 'message' | 'note';
/** A title is a draft until it's saved. */
type KeptKind = DraftKind | 'title';

const STORAGES = [() => localStorage, () => sessionStorage];

const version = signal(0);
const texts = new Map<string, string>();

/** The agent's draft in a chat; reading it subscribes to its changes. */
export function draftOf(chatId: string, kind: KeptKind): string {
  void version.value;
  const key = keyOf(chatId, kind);
  const text = texts.get(key) ?? read(key);
  texts.set(key, text);
  return text;
}

/** Stores a draft. It survives a reload, and a session that expires. */
export function setDraft(chatId: string, kind: KeptKind, text: string): void {
  const key = keyOf(chatId, kind);
  texts.set(key, text);
  version.value++;
  try {
    if (text) localStorage.setItem(key, JSON.stringify({ text, at: Date.now() }));
    else localStorage.removeItem(key);
  } catch {
    // Storage is full or forbidden: the draft lasts until a reload.
  }
}

/** Keeps drafts in sync between tabs. Call this once. */
export function keepDrafts(): void {
  addEventListener('storage', ({ key }) => {
    // Without a key, the whole storage was cleared.
    if (key === null) texts.clear();
    else if (!texts.delete(key)) return;
    version.value++;
  });
  removeOldDrafts();
}

function removeOldDrafts(): void {
  removeStored((key) => key.startsWith(PREFIX) && !(Date.now() - (parse(key)?.at ?? 0) < KEPT_FOR_MS));
}

/** Deletes the drafts of a chat, of all agents. */
export function forgetDrafts(chatId: string): void {
  texts.clear();
  for (const storage of STORAGES) removeStored((key) => key.startsWith(PREFIX) && key.endsWith(chatId), storage);
  version.value++;
}

/** Signs out, and deletes the agent's drafts: someone else may use the browser next. @throws RequestError */
export async function signOutWithDrafts(): Promise<void> {
  const prefix = prefixOf(me().id);
  await signOut();
  texts.clear();
  for (const storage of STORAGES) removeStored((key) => key.startsWith(prefix), storage);
}

function removeStored(isUnwanted: (key: string) => boolean, storage: () => Storage = () => localStorage): void {
  try {
    for (const key of Object.keys(storage()).filter(isUnwanted)) storage().removeItem(key);
  } catch {
    // Without storage, there are none.
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

/** The name of what is kept beside a draft. It's deleted with the drafts. */
export function nameOfDraft(chatId: string, what: string): string {
  return `${prefixOf(me().id)}${what}:${chatId}`;
}

// By agent: several people may use one browser.
function keyOf(chatId: string, kind: KeptKind): string {
  return nameOfDraft(chatId, kind);
}

/** How the names of an agent's drafts begin in the browser's storage. They end with the id of their chat. */
export function prefixOf(agentId: string): string {
  return `${PREFIX}${agentId}:`;
}
