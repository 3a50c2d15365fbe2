import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config, ConfigError } from '../../platform/config/config.js';
import { unavailable } from '../../platform/errors/problem.js';
import { randomText } from '../../platform/lib/secrets.js';
import { FileStore, StoreUnavailable, type UploadAddress } from './store.js';
import { findStoreId, storeStoreId } from './store-id.queries.js';

const CHECK_INTERVAL_MS = 10_000;
const ID_LENGTH = 24;
/** Seconds until a client should try again while the store is unavailable. */
export const RETRY_SECONDS = 10;

/**
 * The store, once its id was found to be the database's (CONTRACT section 19.8). Two nodes with a disk each would otherwise lose each
 * other's files.
 */
@Injectable()
export class CheckedStore implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Files');
  private isRight = false;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly store: FileStore,
    private readonly manager: EntityManager,
    private readonly config: Config,
  ) {}

  /** @throws ConfigError if the store is another database's */
  async onModuleInit(): Promise<void> {
    await this.check();
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** @throws Problem unavailable until the store's id was checked */
  get(): FileStore {
    if (!this.isRight) throw unavailable('Files are unavailable; retry later', RETRY_SECONDS);
    return this.store;
  }

  /** Where an upload's body goes. Signing it needs no store. */
  presign(key: string, size: number): Promise<UploadAddress | null> {
    return this.store.uploadAddress(key, size);
  }

  get isReady(): boolean {
    return this.isRight;
  }

  private async check(): Promise<void> {
    try {
      const fault = await findFault(this.store, this.manager);
      if (fault === null) this.isRight = true;
      else if (this.config.DRILL) this.logger.warn(`${fault}; files are unavailable in this drill`);
      else throw new ConfigError(`DATA_DIR: ${fault}`);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.logger.warn(`the store of files can't be reached, and is tried every 10 s: ${error.message}`);
      this.timer = setTimeout(() => void this.check().catch((err: unknown) => this.onOther(err)), CHECK_INTERVAL_MS);
      this.timer.unref();
    }
  }

  // The node serves by now: what isn't about files goes on.
  private onOther(err: unknown): void {
    this.logger.error({ err: (err as Error).message }, 'files stay unavailable');
  }
}

/** Says why the store isn't the database's; null if it is. The first start gives both an id. */
async function findFault(store: FileStore, manager: EntityManager): Promise<string | null> {
  const stored = await findStoreId(manager);
  const own = await store.readId();
  if (stored === undefined) {
    // The store first: a crash in between leaves an id that the database takes.
    const id = own ?? (await store.writeId(randomText(ID_LENGTH)));
    return (await storeStoreId(manager, id)) === id ? null : OTHER;
  }
  if (own === undefined) return 'this store of files has no id, but the database has one: it uses another store';
  return own === stored ? null : OTHER;
}

const OTHER = "this store of files is another database's, or this database uses another store";

/** An error of a store as clients see it, without what the store said. Others are returned as they are. */
export function storeProblem(error: unknown): unknown {
  return error instanceof StoreUnavailable ? unavailable('Files are unavailable; retry later', RETRY_SECONDS) : error;
}
