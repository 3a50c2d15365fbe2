import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { transaction } from '../../platform/database/transaction.js';
import { unavailable } from '../../platform/errors/problem.js';
import { randomText } from '../../platform/lib/secrets.js';
import { findOtherNodes, findStoreId, lockStoreId, storeStoreId } from './store-id.queries.js';
import { FileStore, StoreUnavailable, type UploadAddress } from './store.js';

const CHECK_INTERVAL_MS = 10_000;
const ID_LENGTH = 24;
/** Seconds until a client should try again while the store is unavailable. */
export const RETRY_SECONDS = 10;

/** `unused`: neither the database nor the store has an id, because no file was sent yet. */
type State = 'unused' | 'right' | 'away' | 'wrong';

/**
 * Gives access to the store once its id matches the database's (CONTRACT: File storage). Without this check, two nodes with a disk each
 * would lose each other's files. The id is chosen with the first file: until then, nodes may have folders of their own.
 */
@Injectable()
export class CheckedStore implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Files');
  private state: State = 'unused';
  private timer?: NodeJS.Timeout;
  private checking?: Promise<void>;
  private isClaimRefused = false;

  constructor(
    private readonly store: FileStore,
    private readonly manager: EntityManager,
    private readonly config: Config,
    private readonly node: ThisNode,
  ) {}

  /** @throws ConfigError if the store is another database's */
  async onModuleInit(): Promise<void> {
    try {
      await this.check(this.store.isShared);
    } catch (error) {
      if (!(error instanceof WrongStore) || this.config.DRILL) return this.onFailed(error);
      throw new ConfigError(`${this.config.FILES_URL === undefined ? 'DATA_DIR' : 'FILES_URL'}: ${error.message}`);
    }
    // No node chooses an id before all nodes have announced themselves. A folder that can't be written does no harm until then.
    if (this.state === 'unused') await this.store.announce(this.node.id).catch(() => undefined);
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    this.store.close();
    if (this.state === 'unused') await this.store.withdraw(this.node.id).catch(() => undefined);
  }

  /** The store. The first call chooses its id. @throws Problem unavailable while the store is down, or its id isn't the database's */
  async get(): Promise<FileStore> {
    await this.prepare();
    if (this.state !== 'right') throw unavailable(AWAY, RETRY_SECONDS);
    return this.store;
  }

  /** Checks that uploads may begin, which they may even while the store is down. @throws Problem unavailable */
  async prepare(): Promise<void> {
    if (this.state === 'unused')
      await (this.checking ??= this.begin(!this.config.DRILL).finally(() => (this.checking = undefined)));
    if (this.state === 'unused' || this.state === 'wrong') throw unavailable(AWAY, RETRY_SECONDS);
  }

  /** Where clients send the body of an upload; null if they send it to this service. This doesn't call the store. */
  presign(key: string, size: number): Promise<UploadAddress | null> {
    return this.store.uploadAddress(key, size);
  }

  /** Whether the store has no files yet, or can't be used now. */
  get isIdle(): boolean {
    return this.state !== 'right';
  }

  /** Whether it can't be used now. */
  get isAway(): boolean {
    return this.state === 'away' || this.state === 'wrong';
  }

  private async begin(mayClaim: boolean): Promise<void> {
    try {
      await this.check(mayClaim);
    } catch (error) {
      this.onFailed(error);
    }
  }

  private check(mayClaim: boolean): Promise<void> {
    return transaction(this.manager, (tx) => this.checkIn(tx, mayClaim));
  }

  private async checkIn(tx: EntityManager, mayClaim: boolean): Promise<void> {
    // Two nodes that choose an id at the same time would choose two.
    if (mayClaim) await lockStoreId(tx);
    const stored = await findStoreId(tx);
    const own = await this.store.readId();
    if (stored === undefined && own === undefined && !mayClaim) return void (this.state = 'unused');
    if (stored !== undefined && own !== stored) throw new WrongStore(own === undefined ? NO_ID : OTHER);
    if (stored === undefined && !(await this.claim(tx, own))) return;
    this.state = 'right';
  }

  // Writes the id to the store first. After a crash in between, the database takes the store's id.
  private async claim(tx: EntityManager, own: string | undefined): Promise<boolean> {
    if (!(await this.isSeenByAll(tx))) {
      if (!this.isClaimRefused) this.logger.error(NOT_SHARED);
      this.isClaimRefused = true;
      return false;
    }
    const id = own ?? (await this.store.writeId(randomText(ID_LENGTH)));
    if ((await storeStoreId(tx, id)) !== id) throw new WrongStore(OTHER);
    await this.store.withdraw().catch(() => undefined);
    return true;
  }

  private async isSeenByAll(tx: EntityManager): Promise<boolean> {
    if (this.store.isShared) return true;
    const others = await findOtherNodes(tx, this.node.id);
    if (others.length === 0) return true;
    const announced = await this.store.announced();
    return others.every((id) => announced.has(id));
  }

  // The node keeps serving everything but files.
  private onFailed(error: unknown): void {
    if (error instanceof StoreUnavailable) {
      if (this.state !== 'away')
        this.logger.warn(`the store of files can't be reached, and is tried every 10 s: ${error.message}`);
      this.state = 'away';
      this.timer = setTimeout(() => void this.begin(this.store.isShared), CHECK_INTERVAL_MS).unref();
    } else if (error instanceof WrongStore) {
      this.state = 'wrong';
      this.logger.error(`files are unavailable: ${error.message}`);
    } else throw error;
  }
}

/** The store isn't the database's. */
class WrongStore extends Error {}

const AWAY = 'Files are unavailable; retry later';
const NO_ID = 'this store of files has no id, but the database has one: it uses another store (parley files adopt)';
const OTHER = "this store of files is another database's, or this database uses another store (parley files adopt)";
const NOT_SHARED =
  "files are unavailable: other running nodes don't use this folder, or have an older release. " +
  'Let all nodes share DATA_DIR/files, or set FILES_URL';

/** An error of a store as clients see it, without what the store said. Others are returned as they are. */
export function storeProblem(error: unknown): unknown {
  return error instanceof StoreUnavailable ? unavailable(AWAY, RETRY_SECONDS) : error;
}
