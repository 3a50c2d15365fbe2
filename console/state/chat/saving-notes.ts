import { signal } from '@preact/signals';
import { isTransient } from '../../../headless/errors.js';
import { JsonStorage } from '../../../headless/json-storage.js';
import { newId } from '../../../headless/outbox.js';
import { fill } from '../../../headless/text.js';
import type { MessageFile } from '../../../headless/types.js';
import { get, getAll } from '../../api/request.js';
import type { Note, Row } from '../../api/types.js';
import { shortName } from '../../lib/names.js';
import { ownName } from '../../lib/service.js';
import { strings } from '../../locales/strings.js';
import { isConnected } from '../connection.js';
import { rowOf } from '../inbox/rows.js';
import { notify, notifyWith } from '../notices.js';
import { goToChat, route } from '../route.js';
import { me, session } from '../session.js';
import type { OpenChat } from './chat.js';
import { giveBackFiles } from './draft-files.js';
import { draftOf, setDraft } from './drafts.js';
import { explainNote } from './note-problems.js';

// A request without an answer may have stored the note. So it's neither a draft nor sent again before the chat's notes were read.

/** A note that is being saved, or whose answer was lost. */
export interface SavingNote {
  key: string;
  chatId: string;
  content: string;
  files?: readonly MessageFile[];
  /** The agent's notes with the same text that existed before. */
  knownIds: readonly string[];
  /** In milliseconds since 1970, by this computer's clock. */
  startedAt: number;
}

/** The pause before the chat's notes are read: the service may still be storing the note. In milliseconds. */
const LOOKS_AFTER_MS = 1_000;
/** The pause after a failed read, in milliseconds. */
const RETRY_MS = 2_000;
/** After this time, a note that an earlier page was saving has been stored or lost, in milliseconds. */
const OLD_AFTER_MS = 12_000;

/** This agent's notes of all tabs that are being saved. */
export const savingNotes = signal<readonly SavingNote[]>([]);
const storage = new JsonStorage();

const nameOfStore = () => ownName(`console:${me().id}:notes`);

/** Reads what earlier pages left. Call this after signing in. */
export function openSavingNotes(): void {
  read();
  addEventListener('storage', onStorage);
  for (const note of savingNotes.value)
    setTimeout(() => void settle(note), Math.max(0, note.startedAt + OLD_AFTER_MS - Date.now()));
}

/** Notes stay in the browser. */
export function closeSavingNotes(): void {
  removeEventListener('storage', onStorage);
  savingNotes.value = [];
}

/** Forgets the notes of a chat that are being saved. */
export function forgetNotes(chatId: string): void {
  write(read().filter((note) => note.chatId !== chatId));
}

/** Stores the draft of a note. Resolves when it's known whether it was stored, or when that has to wait for the connection. */
export async function saveNote(chat: OpenChat, content: string, files?: readonly MessageFile[]): Promise<void> {
  const stored = storeNote(chat, content, files);
  setDraft(chat.id, 'note', '');
  await stored;
}

/** Stores a note. If that fails, its text goes in front of the draft. */
export async function storeNote(chat: OpenChat, content: string, files: readonly MessageFile[] = []): Promise<void> {
  const knownIds = chat.notes.value.filter((note) => isSame(note, content)).map(({ id }) => id);
  const note: SavingNote = { key: newId(), chatId: chat.id, content, files, knownIds, startedAt: Date.now() };
  const { id } = me();
  write([...read(), note]);
  try {
    await chat.addNote(content, files);
    drop(note);
  } catch (error) {
    // Someone else may be signed in by now. The note stays in the browser until its author signs in again.
    if (session.value?.agent.id !== id) return;
    if (isTransient(error)) await settle(note, error);
    else giveBack(note, error);
  }
}

/** Finds out whether a note was stored. If not, its text goes back into the draft. */
async function settle(note: SavingNote, problem?: unknown): Promise<void> {
  await pause(LOOKS_AFTER_MS);
  while (isSaving(note)) {
    try {
      if (!isConnected.value) throw problem ?? new Error('no connection');
      const notes = await getAll<Note>(`/chats/${note.chatId}/notes`, 'notes');
      if (!isSaving(note)) return;
      if (notes.some((one) => isSame(one, note.content) && !note.knownIds.includes(one.id))) return drop(note);
      return giveBack(note, problem);
    } catch (error) {
      if (!isTransient(error)) return giveBack(note, error);
      await pause(RETRY_MS);
    }
  }
}

/** Puts a note that wasn't stored in front of what was typed since, and says why. */
function giveBack(note: SavingNote, problem: unknown): void {
  const { chatId, content, files } = note;
  drop(note);
  void giveBackFiles(chatId, 'note', files);
  setDraft(chatId, 'note', [content, draftOf(chatId, 'note')].filter(Boolean).join('\n'));
  const { value: at } = route;
  if (problem && at.page === 'inbox' && at.chatId === chatId) notify(explainNote(problem), 'trouble');
  else void tellElsewhere(chatId);
}

async function tellElsewhere(chatId: string): Promise<void> {
  const { noteNotSaved, openChat: open, unnamed } = strings.value;
  // No list may have the chat's row.
  const row = rowOf(chatId) ?? (await get<Row>(`/chats/${chatId}`).catch(() => null));
  const told = fill(noteNotSaved, { name: row ? shortName(row) : unnamed });
  notifyWith(told, { name: open, run: () => goToChat(chatId) }, { key: `note ${chatId}` });
}

function isSame({ author, content }: Note, wanted: string): boolean {
  return author.id === me().id && content === wanted;
}

function isSaving({ key }: SavingNote): boolean {
  return session.value != null && read().some((note) => note.key === key);
}

function drop({ key }: SavingNote): void {
  write(read().filter((note) => note.key !== key));
}

function onStorage({ key }: StorageEvent): void {
  if (key === nameOfStore()) read();
}

function read(): readonly SavingNote[] {
  const kept = storage.read<SavingNote[]>(nameOfStore());
  savingNotes.value = Array.isArray(kept) ? kept : [];
  return savingNotes.value;
}

function write(notes: readonly SavingNote[]): void {
  storage.write(nameOfStore(), notes[0] && notes);
  savingNotes.value = notes;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
