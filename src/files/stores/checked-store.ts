import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { transaction } from '../../platform/database/transaction.js';
import type { Cause } from '../../platform/errors/cause.js';
import { because, Fault, type Problem } from '../../platform/errors/problem.js';
import { randomText } from '../../platform/lib/secrets.js';
import { findOtherNodes, findStoreId, lockStoreId, storeStoreId } from './store-id.queries.js';
import { FileStore, MissingBytes, StoreUnavailable, type UploadAddress } from './store.js';

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
  /** Why it can't be used now. */
  private reason = '';
  private isStopped = false;

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
    this.isStopped = true;
    clearTimeout(this.timer);
    this.store.close();
    if (this.state === 'unused') await this.store.withdraw(this.node.id).catch(() => undefined);
  }

  /** The store. The first call chooses its id. @throws Problem unavailable while the store is down, or its id isn't the database's */
  async get(): Promise<FileStore> {
    await this.prepare();
    if (this.state !== 'right') throw this.problem();
    return this.store;
  }

  /** Checks that uploads may begin, which they may even while the store is down. @throws Problem unavailable */
  async prepare(): Promise<void> {
    if (this.state === 'unused')
      await (this.checking ??= this.begin(!this.config.DRILL).finally(() => (this.checking = undefined)));
    if (this.state === 'unused' || this.state === 'wrong') throw this.problem();
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

  private problem(): Problem {
    return away({ name: 'files_store', message: this.reason });
  }

  private async begin(mayClaim: boolean): Promise<void> {
    try {
      await this.check(mayClaim);
    } catch (error) {
      this.onFailed(error);
    }
  }

  // Calls the store outside of transactions, because the database ends a transaction that waits. The database is asked first: its id was
  // in the store before.
  private async check(mayClaim: boolean): Promise<void> {
    const stored = await findStoreId(this.manager);
    const own = await this.store.readId();
    if (stored === undefined && own === undefined && !mayClaim) {
      this.reason = 'it has no id yet, and a drill gives it none';
      this.state = 'unused';
      return;
    }
    if (stored !== undefined) requireSame(own, stored);
    else if (!(await this.claim(own))) return;
    this.state = 'right';
  }

  private async claim(own: string | undefined): Promise<boolean> {
    if (!(await this.isSeenByAll())) {
      if (this.reason !== NOT_SHARED) this.logger.error(NOT_SHARED);
      this.reason = NOT_SHARED;
      return false;
    }
    const id = await transaction(this.manager, (tx) => this.choose(tx, own));
    // Another node may have chosen the id, or written it to another store.
    if (id !== own) requireSame(await this.store.readId(), id);
    await this.store.withdraw().catch(() => undefined);
    return true;
  }

  // Writes the id to the store first. After a crash in between, the database takes the store's id. This is the only call of the store in
  // a transaction, once in the life of an installation: two nodes that choose an id at the same time would choose two.
  private async choose(tx: EntityManager, own: string | undefined): Promise<string> {
    await lockStoreId(tx);
    return (await findStoreId(tx)) ?? storeStoreId(tx, own ?? (await this.store.writeId(randomText(ID_LENGTH))));
  }

  private async isSeenByAll(): Promise<boolean> {
    if (this.store.isShared) return true;
    const others = await findOtherNodes(this.manager, this.node.id);
    if (others.length === 0) return true;
    const announced = await this.store.announced();
    return others.every((id) => announced.has(id));
  }

  // The node keeps serving everything but files.
  private onFailed(error: unknown): void {
    if (error instanceof StoreUnavailable || error instanceof WrongStore) this.reason = error.message;
    if (error instanceof StoreUnavailable) {
      if (this.state !== 'away')
        this.logger.warn(`the store of files can't be reached, and is tried every 10 s: ${error.message}`);
      this.tryLater();
    } else if (error instanceof WrongStore) {
      this.state = 'wrong';
      this.logger.error(`files are unavailable: ${error.message}`);
    } else throw error;
  }

  private tryLater(): void {
    this.state = 'away';
    if (!this.isStopped) this.timer = setTimeout(() => void this.checkAgain(), CHECK_INTERVAL_MS).unref();
  }

  // No caller handles what this throws, so that every error means that the store isn't checked yet.
  private async checkAgain(): Promise<void> {
    try {
      await this.begin(this.store.isShared);
    } catch (err) {
      this.reason = 'it was not checked, because the database failed';
      this.logger.warn({ err }, 'the store of files was not checked, and is tried again in 10 s');
      this.tryLater();
    }
  }
}

/** The store isn't the database's. */
class WrongStore extends Error {}

function requireSame(own: string | undefined, stored: string): void {
  if (own !== stored) throw new WrongStore(own === undefined ? NO_ID : OTHER);
}

const AWAY = 'Files are unavailable; retry later';
const NO_ID = 'this store of files has no id, but the database has one: it uses another store (parley files adopt)';
const OTHER = "this store of files is another database's, or this database uses another store (parley files adopt)";
const NOT_SHARED =
  "files are unavailable: other running nodes don't use this folder, or have an older release. " +
  'Let all nodes share DATA_DIR/files, or set FILES_URL';

/** An error of a store as clients see it, without what the store said, which is the reason. Others are returned as they are. */
export function storeProblem(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return away({ name: nameOfCause(error, code), code, message: error.message });
}

/** A disk without room for an upload. */
export function diskFull(): Problem {
  const problem = new Fault('unavailable', 'The disk is full; retry later', undefined, RETRY_SECONDS);
  return because(problem, { name: 'files_disk_full', message: 'the upload would leave less than FILES_MIN_FREE' });
}

function away(reason: Cause): Problem {
  return because(new Fault('unavailable', AWAY, undefined, RETRY_SECONDS), reason);
}

function nameOfCause(error: StoreUnavailable, code?: string): string {
  if (error instanceof MissingBytes) return 'files_missing';
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'files_disk_full' : 'files_store';
}
