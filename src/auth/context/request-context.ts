import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { traceparentOf } from '../../platform/telemetry/trace.js';

export type ActorType = 'BOT' | 'VISITOR' | 'AGENT' | 'ADMIN' | 'SYSTEM';

/** Who acts. The holder of ADMIN_TOKEN and the service itself have neither id nor name. */
export interface Actor {
  type: ActorType;
  id: string | null;
  name: string | null;
}

/** What a feature knows of its request. A guard creates it and passes it down. */
export interface RequestContext {
  organizationId: string;
  actor: Actor;
  /** The trace that the request belongs to (W3C Trace Context). */
  traceparent: string | null;
  /** The id of the HTTP request; null for a socket. */
  requestId: string | null;
  /** The client's address, for the audit log; null without a request. */
  sourceAddress: string | null;
  /** Whether the bot that acts may only act in chats that it has (CONTRACT: Transfers). */
  onlyOwnChats?: boolean;
  /** Whether the bot that acts is an AI. */
  isAi?: boolean;
}

export type RequestWithContext = Request & { context: RequestContext };

export function contextOf(request: Request, organizationId: string, actor: Actor): RequestContext {
  const { ip, id } = request as Request & { id: string };
  return { organizationId, actor, traceparent: traceparentOf(request), requestId: id, sourceAddress: ip ?? null };
}

/** The context of a socket's event, which has no trace and no request id. */
export function socketContext(organizationId: string, actor: Actor): RequestContext {
  return { organizationId, actor, traceparent: null, requestId: null, sourceAddress: null };
}

/** The context of background work. */
export function systemContext(organizationId: string): RequestContext {
  return socketContext(organizationId, { type: 'SYSTEM', id: null, name: null });
}

/** The context that the route's guard created. */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestWithContext>().context,
);
