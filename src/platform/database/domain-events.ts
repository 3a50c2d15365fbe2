import { Injectable } from '@nestjs/common';
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';
import { afterCommit } from './transaction.js';

/**
 * Facts that features publish to each other after a commit. Each feature adds its own: `declare module
 * './domain-events.js' { interface DomainEvents { 'chat.changed': ChatChanged } }`. An event is a hint, never a
 * promise: the process may die before a listener runs.
 */
export interface DomainEvents {}

export type DomainEvent = Extract<keyof DomainEvents, string>;

@Injectable()
export class DomainEventBus {
  constructor(private readonly emitter: EventEmitter2) {}

  /**
   * @param tx the transaction that makes the fact true: the event waits for its commit and is dropped on rollback. Omit
   * it when the fact is already committed. (A bus that finds the transaction itself needs AsyncLocalStorage, which
   * costs every request a quarter of its CPU on Node 20: ADR 16.)
   */
  emit<E extends DomainEvent>(event: E, fact: DomainEvents[E], tx?: EntityManager): void {
    if (tx) afterCommit(tx, () => this.emitter.emit(event, fact));
    else this.emitter.emit(event, fact);
  }
}

/** Marks a listener method; the compiler checks the event's name. */
export function OnDomainEvent(event: DomainEvent): MethodDecorator {
  return OnEvent(event);
}
