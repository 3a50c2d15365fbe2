import { Decoder, Encoder } from 'socket.io-parser';
import { findInexactIntegers } from '../platform/lib/json.js';

/**
 * Reads packets as Socket.IO does, but an integer that a double cannot hold becomes NaN, which validation refuses. Otherwise
 * it would be stored as another number.
 */
class ExactDecoder extends Decoder {}

// The library's types mark this method as private.
Object.defineProperty(ExactDecoder.prototype, 'tryParse', { value: parseExactly });

/**
 * The value of a packet's JSON, false for malformed JSON. Only JSON with an inexact integer is read again with a reviver,
 * which is slow and recursive.
 */
function parseExactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const inexact = findInexactIntegers(text);
    if (!inexact) return value;
    return JSON.parse(text, (_key, part: unknown) => (inexact.has(part as number) ? Number.NaN : part));
  } catch {
    return false;
  }
}

/** The `parser` of the Socket.IO server. */
export const exactParser = { Encoder, Decoder: ExactDecoder };
