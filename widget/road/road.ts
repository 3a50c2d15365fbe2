import { Fetch } from 'socket.io-client';
export { requestOverRest } from '../client/rest.js';
import { tellBlocked } from '../client/blocked.js';

interface Packet {
  type: string;
  data?: string;
}

/** Socket.IO's long polling, for the socket of the panel, which has only what WebSockets need. */
class LongPolling extends Fetch {
  #id = '';

  override uri(): string {
    const { path, uri } = this.opts as unknown as { path: string; uri: string };
    return new URL(`${path}?EIO=4&transport=polling${this.#id && `&sid=${this.#id}`}`, uri).href;
  }

  override onPacket(packet: Packet): void {
    if (packet.type === 'open') this.#id = (JSON.parse(packet.data!) as { sid: string }).sid;
    super.onPacket(packet as Parameters<Fetch['onPacket']>[0]);
  }
}

export function longPolling(url: string): typeof LongPolling {
  tellBlocked(url);
  return LongPolling;
}
