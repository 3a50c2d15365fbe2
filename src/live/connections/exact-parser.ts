import { Decoder, Encoder } from 'socket.io-parser';
import type { BodySize } from '../../platform/validation/body-size.js';
import { findExcess, parseKeepingDigits, RejectedBody } from '../../platform/http/requests/parsed-body.js';

/** The beginning of the JSON of a request: `["message:send",`. */
const EVENT = /^\["([\w:]{1,64})"/;

/**
 * The `parser` of the Socket.IO server. It reads packets as Socket.IO does, but parses no payload that is longer than its event
 * allows: `ValidationPipe` refuses the `RejectedBody` in its place. The text of a body whose integers may have lost digits is
 * kept.
 * @param limits the most that the payload of each event may have
 * @param other the most that the JSON of any other packet may have; one that has more ends the connection
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
