import { Injectable } from '@nestjs/common';
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter';

/**
 * Facts that features tell each other after a commit. Each feature adds its own:
 * `declare module './domain-events.js' { interface DomainEvents { 'chat.changed': ChatChanged } }`.
 * An event is a hint, never a promise: the process may die before a listener runs.
 */
export interface DomainEvents {}

export type DomainEvent = Extract<keyof DomainEvents, string>;

/** The typed door to the event emitter. Emit only after the commit. */
@Injectable()
export class DomainEventBus {
  constructor(private readonly emitter: EventEmitter2) {}

  emit<E extends DomainEvent>(event: E, fact: DomainEvents[E]): void {
    this.emitter.emit(event, fact);
  }
}

/** Marks a listener's method; the name is checked against the events that exist. */
export function OnDomainEvent(event: DomainEvent): MethodDecorator {
  return OnEvent(event);
}
