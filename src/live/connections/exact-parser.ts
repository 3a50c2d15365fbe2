import { Decoder, Encoder } from 'socket.io-parser';
import type { BodySize } from '../../platform/validation/body-size.js';
import { findExcess, parseKeepingDigits, RejectedBody } from '../../platform/http/requests/parsed-body.js';

/** The beginning of a request's JSON: `["message:send",`. */
const EVENT = /^\["([\w:]{1,64})"/;

/**
 * The `parser` of the Socket.IO server. It reads packets as Socket.IO does, but doesn't parse a payload that exceeds its event's
 * limit: it passes on a `RejectedBody`, which `ValidationPipe` rejects. It keeps the text of a body whose integers may have lost
 * digits.
 * @param limits the largest payload of each event
 * @param other the largest JSON of any other packet; a larger one closes the connection
 */
export function exactParser(limits: ReadonlyMap<string, BodySize>, other: BodySize) {
  function parse(json: string): unknown {
    const event = EVENT.exec(json)?.[1];
    const excess = findExcess(json, limits.get(event ?? '') ?? other);
    if (excess !== null) return event === undefined ? false : [event, new RejectedBody(excess)];
    try {
      return parseKeepingDigits(json, bodyOf);
    } catch {
      return false;
    }
  }

  class ExactDecoder extends Decoder {}
  // The library's types mark this method as private.
  Object.defineProperty(ExactDecoder.prototype, 'tryParse', { value: parse });
  return { Encoder, Decoder: ExactDecoder };
}

function bodyOf(packet: unknown): unknown {
  return Array.isArray(packet) ? packet[1] : undefined;
}
