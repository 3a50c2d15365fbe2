import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { OnDomainEvent } from '../platform/lib/domain-events.js';
import '../organizations/organizations.events.js';
import { findErasing } from './erasure.queries.js';
import { OrganizationRemovalService } from './organization-removal.service.js';
import { RetentionService } from './retention.service.js';
import { SilentVisitorsService } from './silent-visitors.service.js';
import { VisitorErasureService } from './visitor-erasure.service.js';

/** Milliseconds between passes, and before the first: up to half more, so that nodes started together spread out. */
const INTERVAL = 10 * 60 * 1000;
const FIRST = 10 * 1000;
/** Erasures that a pass takes up at most. */
const MAX_ERASURES = 100;

/** Removes in the background what was begun and what has become too old. Any node does it, and goes on where another ended. */
@Injectable()
export class DataRemoval implements OnApplicationBootstrap, OnModuleDestroy {
  /** Milliseconds that a request waits for an erasure to end. */
  patience = 3_000;
  private readonly logger = new Logger(DataRemoval.name);
  private readonly isLate = () => this.isClosed;
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly manager: EntityManager,
    private readonly erasure: VisitorErasureService,
    private readonly organizations: OrganizationRemovalService,
    private readonly retention: RetentionService,
    private readonly silent: SilentVisitorsService,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule(FIRST);
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  @OnDomainEvent('organization.deleted')
  async onOrganizationDeleted(): Promise<void> {
    await this.run();
  }

  /**
   * Erases a visitor, whose token is dead at once. False when it takes longer than a request should: then it goes on.
   * @throws Problem not_found
   */
  async erase(organizationId: string, visitorId: string): Promise<boolean> {
    const end = performance.now() + this.patience;
    const isLate = () => this.isClosed || performance.now() > end;
    const isDone = await this.erasure.erase(organizationId, visitorId, isLate);
    if (!isDone) void this.run();
    return isDone;
  }

  /** One pass; passes that are asked for together run one after the other. */
  run(now = new Date()): Promise<void> {
    return (this.running = this.running.then(() => this.pass(now)));
  }

  private schedule(delay: number): void {
    this.timer = setTimeout(
      () => {
        void this.run().then(() => this.isClosed || this.schedule(INTERVAL));
      },
      delay * (1 + Math.random() / 2),
    ).unref();
  }

  // What somebody asked for comes before what is only old; one that fails keeps nothing from the others.
  private async pass(now: Date): Promise<void> {
    await this.attempt('visitors were not erased', () => this.finishErasures());
    await this.attempt('deleted organizations were not removed', () => this.organizations.run(this.isLate));
    await this.attempt('what is too old was not removed', () => this.retention.run(now, this.isLate));
    await this.attempt('silent visitors were not removed', () => this.silent.run(now, this.isLate));
  }

  private async attempt(failure: string, work: () => Promise<void>): Promise<void> {
    if (this.isClosed) return;
    await work().catch((err: unknown) => this.logger.warn({ err }, failure));
  }

  private async finishErasures(): Promise<void> {
    for (const { organizationId, visitorId } of await findErasing(this.manager, MAX_ERASURES)) {
      if (this.isClosed) return;
      await this.erasure.proceed(organizationId, visitorId, this.isLate);
    }
  }
}
