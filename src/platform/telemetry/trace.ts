import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';

// W3C Trace Context, version 00: version, trace, span, flags. Ids of only zeros are invalid.
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACE_ID = { from: 3, to: 35 };
const FLAGS_OFFSET = 53;

/** The `traceparent` of a request; null when it's missing or invalid. */
export function traceparentOf({ headers: { traceparent } }: Pick<Request, 'headers'>): string | null {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null;
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(TRACE_ID.from, TRACE_ID.to);
}

/** The same trace and flags with a new span. */
export function nextSpan(traceparent: string): string {
  return `00-${traceIdOf(traceparent)}-${newSpanId()}-${traceparent.slice(FLAGS_OFFSET)}`;
}

function newSpanId(): string {
  const id = randomBytes(8).toString('hex');
  return /^0+$/.test(id) ? newSpanId() : id;
}

/** The `traceparent` of the request; null when it's missing or invalid. */
export const Traceparent = createParamDecorator((_: unknown, context: ExecutionContext) =>
  traceparentOf(context.switchToHttp().getRequest<Request>()),
);
