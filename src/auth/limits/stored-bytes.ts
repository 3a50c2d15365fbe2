import { jsonOf } from '../../platform/lib/json.js';

/** The fields of a session, a chat or a message that a visitor may store. */
interface Storable {
  name?: string;
  email?: string;
  content?: string;
  metadata?: Record<string, unknown> | null;
  replyTo?: { value: string };
}

/** The size of these fields in UTF-8 bytes. */
export function bytesOf({ name, email, content, metadata, replyTo }: Storable): number {
  const texts = [name, email, content, replyTo?.value, metadata ? jsonOf(metadata) : undefined];
  return texts.reduce((bytes, text) => bytes + (text === undefined ? 0 : Buffer.byteLength(text)), 0);
}
