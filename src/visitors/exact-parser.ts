import { Decoder, Encoder } from 'socket.io-parser';
import { findInexactIntegers } from '../common/json.js';

type Reviver = (key: string, value: unknown) => unknown;

/**
 * Reads packets as Socket.IO does, but an integer that a double cannot hold becomes NaN, which is refused where it
 * matters: once read it has forgotten its digits, and would be stored as another number. The reviver is set for the
 * packets that have such an integer alone, since reading with one is slow and recursive.
 */
class ExactDecoder extends Decoder {
  override add(packet: unknown): void {
    const inexact = typeof packet === 'string' ? findInexactIntegers(packet) : undefined;
    const { opts } = this as unknown as { opts: { reviver?: Reviver } };
    opts.reviver = inexact && ((_key, value) => (inexact.has(value as number) ? Number.NaN : value));
    super.add(packet);
  }
}

/** The `parser` of the Socket.IO server. */
export const exactParser = { Encoder, Decoder: ExactDecoder };
