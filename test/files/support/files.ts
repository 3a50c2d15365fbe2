import { Client } from '../../support/client.js';
import type { Tenant } from '../../support/tenant.js';

export interface Started {
  id: string;
  method: 'PUT';
  url: string;
  headers: Record<string, string>;
  expiresAt: string;
}

export interface SentFile {
  id: string;
  name: string;
  size: number;
  type: string;
  url: string;
}

export const TEXT = Buffer.from('Hello, file.\n');

/** A picture of 3 × 2 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9MoPMygAAAABJRU5ErkJggg==',
  'base64',
);

/** Begins an upload. */
export async function begin(api: Client, chatId: string, name: string, size: number): Promise<Started> {
  return (await api.post('/uploads', { chatId, name, size }).expect(201)).body as Started;
}

/** Sends the bytes as a browser does. */
export function put({ url, method, headers }: Started, bytes: Buffer, more: Record<string, string> = {}) {
  return fetch(url, { method, headers: { ...headers, ...more }, body: new Uint8Array(bytes) });
}

/** The three calls. */
export async function upload(api: Client, chatId: string, name: string, bytes: Buffer): Promise<SentFile> {
  const started = await begin(api, chatId, name, bytes.length);
  const response = await put(started, bytes);
  if (response.status !== 200) throw new Error(`PUT ${response.status}: ${await response.text()}`);
  return (await api.post(`/uploads/${started.id}/complete`, {}).expect(200)).body.file as SentFile;
}

/** Lets visitors of the tenant send files. */
export async function allowVisitors({ admin }: Pick<Tenant, 'admin'>): Promise<void> {
  await admin.patch('', { visitorUploads: true }).expect(200);
}
