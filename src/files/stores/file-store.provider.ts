import { join } from 'node:path';
import { Config } from '../../platform/config/config.js';
import { parseStoreUrl } from '../../platform/config/files-url.js';
import { DiskStore } from './disk-store.js';
import { S3Store } from './s3/s3-store.js';
import { FileStore } from './store.js';

type StoreSettings = Pick<Config, 'DATA_DIR' | 'FILES_MIN_FREE' | 'FILES_URL' | 'FILES_PUBLIC_URL'>;

/** The store that FILES_URL names; without it, the disk. */
export function openFileStore({ DATA_DIR, FILES_MIN_FREE, FILES_URL, FILES_PUBLIC_URL }: StoreSettings): FileStore {
  if (FILES_URL === undefined) return new DiskStore(join(DATA_DIR, 'files'), FILES_MIN_FREE);
  return new S3Store(parseStoreUrl(FILES_URL), FILES_PUBLIC_URL?.replace(/\/$/, ''));
}

export const FILE_STORE = { provide: FileStore, useFactory: openFileStore, inject: [Config] };
