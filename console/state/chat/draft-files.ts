import { signal } from '@preact/signals';
import { JsonStorage } from '../../../headless/json-storage.js';
import type { MessageFile, TextStorage } from '../../../headless/types.js';
import { strings } from '../../locales/strings.js';
import { notify } from '../notices.js';
import { type DraftKind, draftOf, nameOfDraft } from './drafts.js';

type FilesCode = typeof import('../../files/start.js');

/** The code that shows and sends files: undefined until it's loaded, null if that failed. */
export const filesCode = signal<FilesCode | null | undefined>(undefined);
let loading: Promise<FilesCode> | undefined;

/** Loads that code, which isn't part of the first load. @throws Error if it can't be loaded */
export function loadFilesCode(): Promise<FilesCode> {
  loading ??= import('../../files/start.js').then(async (code) => {
    await code.loadFileWords();
    return (filesCode.value = code);
  });
  return loading.catch((error: unknown) => {
    loading = undefined;
    filesCode.value ??= null;
    throw error;
  });
}

// By tab: a file that two tabs know could be sent only by one.
const storage = new JsonStorage(tabStorage());
const version = signal(0);
/** Drafts whose chosen files wait for the code: they aren't sent without them. */
const awaiting = new Set<string>();

const nameOf = (chatId: string, kind: DraftKind) => nameOfDraft(chatId, `files-${kind}`);

/** Whether a draft has files; reading it subscribes to its changes. */
export function hasFiles(chatId: string, kind: DraftKind): boolean {
  void version.value;
  const name = nameOf(chatId, kind);
  return awaiting.has(name) || storage.read(name) !== null;
}

/** Whether an answer has been started in a chat: words, or files. */
export function hasDraft(chatId: string): boolean {
  return draftOf(chatId, 'message').trim() !== '' || hasFiles(chatId, 'message');
}

/** What a draft keeps of its files over a reload, as `Tray` wrote it. */
export function keptFiles(chatId: string, kind: DraftKind): string {
  return storage.read<{ kept: string }>(nameOf(chatId, kind))?.kept ?? '';
}

export function keepFiles(chatId: string, kind: DraftKind, kept: string): void {
  storage.write(nameOf(chatId, kind), kept ? { kept } : undefined);
  version.value++;
}

/** Adds chosen files to the draft of the chat that they were chosen in. */
export async function giveFiles(chatId: string, kind: DraftKind, files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const name = nameOf(chatId, kind);
  awaiting.add(name);
  version.value++;
  await withCode((code) => code.draftFilesOf(chatId, kind).add(files));
  awaiting.delete(name);
  version.value++;
}

/** Puts uploaded files that weren't sent back into a draft. */
export async function giveBackFiles(
  chatId: string,
  kind: DraftKind,
  files: readonly MessageFile[] = [],
): Promise<void> {
  if (files.length > 0) await withCode((code) => code.draftFilesOf(chatId, kind).tray.putBack(files));
}

async function withCode(work: (code: FilesCode) => void): Promise<void> {
  await loadFilesCode().then(work, () => notify(strings.value.pageFailed, 'trouble'));
}

function tabStorage(): TextStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
