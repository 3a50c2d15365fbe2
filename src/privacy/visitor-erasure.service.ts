import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import '../visitors/visitors.events.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { notFound } from '../platform/http/problem.js';
import { transaction } from '../platform/database/transaction.js';
import { eraseLeftBehind, eraseStep, findNobody, markErasing, removeVisitor } from './erasure.queries.js';

/** Leaves nothing of a person: what they said and were told, what is known of them, and what was made of it. */
@Injectable()
export class VisitorErasureService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Erases a visitor. Their token is dead from its beginning on. True when nothing is left; false when `isLate` said so
   * before that: whoever asks again, or looks for what is left to do, goes on.
   * @throws Problem not_found
   */
  async erase(organizationId: string, visitorId: string, isLate: () => boolean): Promise<boolean> {
    if (!(await markErasing(this.manager, organizationId, visitorId))) notFound('Visitor');
    this.events.emit('visitor.erased', { organizationId, visitorId });
    return this.proceed(organizationId, visitorId, isLate);
  }

  /** Goes on with what was begun. */
  async proceed(organizationId: string, visitorId: string, isLate: () => boolean): Promise<boolean> {
    const nobodyId = await findNobody(this.manager, organizationId);
    const steps = [
      () => transaction(this.manager, (tx) => eraseStep(tx, organizationId, visitorId, nobodyId)),
      () => transaction(this.manager, (tx) => eraseLeftBehind(tx, organizationId, visitorId)),
    ];
    for (const step of steps) {
      for (let hasMore = true; hasMore;) {
        if (isLate()) return false;
        hasMore = await step();
      }
    }
    await removeVisitor(this.manager, organizationId, visitorId);
    return true;
  }
}
