/** The most packets in the body of one poll; a connection that sends more is closed. */
const MAX_PACKETS = 1_000;
const SEPARATOR = '\u001e';

/** Engine.IO's parser of bodies. */
interface PayloadParser {
  decodePayload(payload: string): { type: string; data?: unknown }[];
}

/** The members of an Engine.IO connection that are used here. */
export interface PollingConnection {
  readonly transport: { readonly name: string; parser: PayloadParser };
}

/** Limits the packets in the body of a poll before they are parsed: its byte limit alone allows 131,000. */
export function boundPolls({ transport }: PollingConnection): void {
  if (transport.name !== 'polling') return;
  const { parser } = transport;
  transport.parser = { ...parser, decodePayload: (payload) => decode(parser, payload) };
}

// The library closes a connection that sends a packet of this type.
function decode(parser: PayloadParser, payload: string): ReturnType<PayloadParser['decodePayload']> {
  const isTooMuch = payload.split(SEPARATOR, MAX_PACKETS + 1).length > MAX_PACKETS;
  return isTooMuch ? [{ type: 'error', data: 'parser error' }] : parser.decodePayload(payload);
}
