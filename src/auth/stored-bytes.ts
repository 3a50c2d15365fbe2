import { jsonOf } from '../platform/lib/json.js';

/** What a visitor may have stored with a session, a chat or a message. */
interface Storable {
  name?: string;
  email?: string;
  content?: string;
  metadata?: Record<string, unknown> | null;
  replyTo?: { value: string };
}

/** Bytes of UTF-8 that are stored of it. */
export function bytesOf({ name, email, content, metadata, replyTo }: Storable): number {
  const texts = [name, email, content, replyTo?.value, metadata ? jsonOf(metadata) : undefined];
  return texts.reduce((bytes, text) => bytes + (text === undefined ? 0 : Buffer.byteLength(text)), 0);
}
