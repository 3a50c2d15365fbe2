import { storable } from '../drivers/split-text.js';
import type { OpenConnection, Reply } from '../model/conversation.js';
import { RunFailure } from '../model/turn.js';
import { maskedDetail } from './masked-detail.js';

/** How JSON writes what PostgreSQL can't store: U+0000 and lone surrogates. A text may also have these words. */
const ESCAPES = ['\\u0000', '\\ud'];

/** A reply without U+0000 and lone surrogates, and without the connection's secrets in the error that came after its end. */
export function storableReply({ messages, lateError, ...rest }: Reply, connection: OpenConnection): Reply {
  const { code, message, httpStatus, retryAfter } = lateError ?? {};
  return {
    ...cleaned(rest),
    // They're cleaned when they're split. A surrogate may be in two texts of a stream.
    messages,
    lateError: code && new RunFailure(code, maskedDetail(message!, connection), httpStatus, retryAfter),
  };
}

function cleaned<T extends object>(value: T): T {
  const json = JSON.stringify(value);
  if (!ESCAPES.some((escape) => json.includes(escape))) return value;
  return clean(value) as T;
}

// The depth is limited: by the wire for what an endpoint sends, and for a state by its own check.
function clean(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storable(name), clean(one)]));
}
