import { Injectable } from '@nestjs/common';
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter';

/**
 * Facts that features publish to each other after a commit. Each feature declares its own:
 * `declare module './domain-events.js' { interface DomainEvents { 'chat.changed': ChatChanged } }`. An event is a hint:
 * the process may die before a listener runs.
 */
export interface DomainEvents {}

export type DomainEvent = Extract<keyof DomainEvents, string>;

/** The typed event emitter. Emit only after the commit. */
@Injectable()
export class DomainEventBus {
  constructor(private readonly emitter: EventEmitter2) {}

  emit<E extends DomainEvent>(event: E, fact: DomainEvents[E]): void {
    this.emitter.emit(event, fact);
  }
}

/** Marks a listener's method; the compiler checks the event's name. */
export function OnDomainEvent(event: DomainEvent): MethodDecorator {
  return OnEvent(event);
}
