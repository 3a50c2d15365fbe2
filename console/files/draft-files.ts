import { signal } from '@preact/signals';
import { COMPLETE_TIMEOUT_MS, type UploadApi, uploadNamed } from '../../headless/files/upload.js';
import { type Chosen, Tray } from '../../headless/files/tray.js';
import type { MessageFile } from '../../headless/types.js';
import { call, post, request } from '../api/request.js';
import type { Note } from '../api/types.js';
import { strings } from '../locales/strings.js';
import type { OpenChat } from '../state/chat/chat.js';
import { keepFiles, keptFiles } from '../state/chat/draft-files.js';
import { type DraftKind, draftOf, setDraft } from '../state/chat/drafts.js';
import { macroOf, setMacro } from '../state/chat/macros.js';
import { sendMessage } from '../state/chat/outbox.js';
import { saveNote } from '../state/chat/saving-notes.js';
import { isConnected } from '../state/connection.js';
import { rowOf } from '../state/inbox/rows.js';
import { notify } from '../state/notices.js';
import { renewFile } from './words.js';

/** Bytes. The service writes it into the page. */
export const MAX_SIZE = Number(document.documentElement.dataset.maxFile) || Infinity;

const api: UploadApi = {
  start: (body) => post('/uploads', body),
  complete: async (id) => {
    const path = `/api/agent/uploads/${id}/complete`;
    return (await request<{ file: MessageFile }>('POST', path, {}, COMPLETE_TIMEOUT_MS)).file;
  },
  remove: (id) => call('DELETE', `/uploads/${id}`),
};

/** A draft that's sent when its files are uploaded. */
interface Due {
  chat: OpenChat;
  /** Whether the chat had ended when the agent sent it. */
  isReopening: boolean;
}

/** Files that belong to one chat, and are uploaded immediately. */
class ChosenFiles {
  readonly items = signal<readonly Chosen[]>([]);
  /** Whether some weren't taken, because there are ten. */
  readonly hasTooMany = signal(false);
  /** Whether the draft wasn't sent because a file failed. */
  readonly isHeld = signal(false);
  readonly tray: Tray;

  constructor(chatId: string, kept: string, keep: (kept: string) => void) {
    const port = {
      chatId: () => chatId,
      open: () => Promise.resolve(chatId),
      upload: (id: string, file: File, options: object) => uploadNamed(api, id, file, options),
      remove: api.remove,
      renew: renewFile,
      keep,
    };
    this.tray = new Tray(port, kept);
    this.tray.items.subscribe((items) => (this.items.value = items));
  }

  get isUploading(): boolean {
    return this.items.value.some(({ state }) => state === 'waiting' || state === 'uploading');
  }

  get hasFailed(): boolean {
    return this.items.value.some(({ state }) => state === 'failed');
  }

  add(files: readonly File[]): void {
    this.isHeld.value = false;
    this.hasTooMany.value = this.tray.add(files, MAX_SIZE) > 0;
  }
}

/** The files of a draft. When all are uploaded, it's sent into the chat where it was written, even if another one is open by then. */
class DraftFiles extends ChosenFiles {
  /** Null: the agent hasn't sent it. */
  readonly due = signal<Due | null>(null);

  constructor(
    private readonly chatId: string,
    private readonly kind: DraftKind,
  ) {
    super(chatId, keptFiles(chatId, kind), (kept) => keepFiles(chatId, kind, kept));
    this.tray.items.subscribe(() => this.settle());
  }

  override add(files: readonly File[]): void {
    this.hold();
    super.add(files);
  }

  /** Sends the draft, now or when everything is uploaded. */
  submit(chat: OpenChat): void {
    this.due.value = { chat, isReopening: rowOf(this.chatId)?.owner === 'NOBODY' };
    this.settle();
  }

  /** What is written after the draft was sent isn't part of it. */
  hold(): void {
    this.due.value = null;
    this.isHeld.value = false;
  }

  private settle(): void {
    const due = this.due.value;
    if (!due || this.isUploading) return;
    this.hold();
    if (this.items.value.length === 0) return;
    if (this.hasFailed) this.isHeld.value = true;
    else if (this.kind === 'message') this.sendAsMessage(due);
    else this.sendAsNote(due);
  }

  private sendAsMessage({ chat, isReopening }: Due): void {
    const files = this.tray.take();
    if (!files) return;
    sendMessage(chat.id, draftOf(chat.id, 'message').trim(), macroOf(chat.id), { files, isReopening });
    setMacro(chat.id);
    setDraft(chat.id, 'message', '');
  }

  private sendAsNote({ chat }: Due): void {
    const content = draftOf(chat.id, 'note').trim();
    // The field keeps the note.
    if (!isConnected.value) return notify(strings.value.whyUnreachable, 'trouble');
    const files = content && this.tray.take();
    if (files) void saveNote(chat, content, files);
  }
}

const drafts = new Map<string, DraftFiles>();

/** The files of an agent's draft in a chat. They stay while other chats are open, and what was uploaded over a reload too. */
export function draftFilesOf(chatId: string, kind: DraftKind): DraftFiles {
  const key = `${kind} ${chatId}`;
  const known = drafts.get(key) ?? new DraftFiles(chatId, kind);
  drafts.set(key, known);
  return known;
}

/** Cancels all uploads when the session ends. What is kept stays for the agent's next session in this tab. */
export function closeDrafts(): void {
  for (const { tray } of drafts.values()) tray.close();
  drafts.clear();
}

/** The files of a note that is being edited. */
class EditedFiles extends ChosenFiles {
  private saved: readonly MessageFile[];

  constructor(chatId: string, { files = [] }: Note) {
    super(chatId, '', () => undefined);
    this.saved = files;
    this.tray.putBack(files);
  }

  get isUnready(): boolean {
    return this.isUploading || this.hasFailed;
  }

  /** What the note has once it's saved. */
  get uploaded(): MessageFile[] {
    return this.items.value.flatMap(({ uploaded }) => uploaded ?? []);
  }

  onSaved(files: readonly MessageFile[] = []): void {
    this.saved = files;
  }

  /** Removes uploads that the note doesn't have. */
  close(): void {
    this.tray.close();
    const kept = this.saved.map(({ id }) => id);
    for (const { id } of this.uploaded) if (!kept.includes(id)) void api.remove(id).catch(() => undefined);
  }
}

export function editedFilesOf(chatId: string, note: Note): EditedFiles {
  return new EditedFiles(chatId, note);
}

export type { ChosenFiles };
