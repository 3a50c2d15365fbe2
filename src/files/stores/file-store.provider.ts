import { join } from 'node:path';
import { Config } from '../../platform/config/config.js';
import { DiskStore } from './disk-store.js';
import { FileStore } from './store.js';

/** The folder `DATA_DIR/files`. */
function openFileStore({ DATA_DIR, FILES_MIN_FREE }: Config): FileStore {
  return new DiskStore(join(DATA_DIR, 'files'), FILES_MIN_FREE);
}

export const FILE_STORE = { provide: FileStore, useFactory: openFileStore, inject: [Config] };
