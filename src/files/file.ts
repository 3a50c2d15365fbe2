/** The most files of a message or a note (CONTRACT: File limits). */
export const MAX_FILES = 10;
/** The length of an id, in characters. */
export const FILE_ID_LENGTH = 30;

/** The `usedBy` of a public picture, which has no chat, and which everyone with its address may see (CONTRACT: Pictures). */
export const PICTURE = 'picture';
/** The `chatId` of pictures, which have no chat. */
export const NO_CHAT = '';

const FILE_ID = /^upl_[0-9a-z]{26}$/;

/** Whether a text looks like the id of a file. */
export function isFileId(text: string): boolean {
  return FILE_ID.test(text);
}

/** A completed file, as messages and notes store it: everything but the address, which depends on the reader. */
export interface StoredFile {
  id: string;
  name: string;
  /** Bytes, as they're served. */
  size: number;
  type: string;
  /** Pixels of a picture, as it's shown. */
  width?: number;
  height?: number;
  durationSeconds?: number;
}

/** A file as clients see it (CONTRACT: Uploads). */
export interface FileView extends StoredFile {
  url: string;
}

export type UploaderType = 'BOT' | 'AGENT' | 'VISITOR';

/** Who uploads, uses, or removes files. */
export interface Uploader {
  organizationId: string;
  type: UploaderType;
  id: string;
  /** A visitor's source address, as limits count it; null for agents, bots, and visitors' mails, which have no limit of an address. */
  address: string | null;
}

interface FileColumns {
  id: string;
  name: string;
  size: number | null;
  type: string | null;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
}

/** The columns of `files f` that clients see. */
export const FILE_COLUMNS = `
  f.id, f.name, f.size::float8 AS size, f.type, f.width, f.height, f.duration_seconds AS "durationSeconds"`;

/** A completed file from its columns. */
export function toStoredFile(row: FileColumns): StoredFile {
  const { id, name, size, type, width, height, durationSeconds } = row;
  return {
    id,
    name,
    size: size ?? 0,
    type: type ?? '',
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(durationSeconds !== null && { durationSeconds }),
  };
}
