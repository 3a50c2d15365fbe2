import { Pool } from 'undici';
import { PATH } from './load.mjs';

/** Posts messages from this process, one at a time on each keep-alive connection. */
export class Posts {
  constructor(side, connections) {
    this.side = side;
    this.pool = new Pool(side.url, { connections, pipelining: 1 });
    this.connections = connections;
  }

  async send({ id, botToken }, content) {
    const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ chatId: id, content });
    const answer = await this.pool.request({ path: PATH, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${this.side.name} answered ${answer.statusCode}`);
    this.side.answered++;
  }

  /** Sends to each chat of a list, in order, over all connections. */
  async sendAll(chats, content) {
    const left = chats.values();
    const sendLeft = async () => {
      for (const chat of left) await this.send(chat, content);
    };
    await Promise.all(Array.from({ length: this.connections }, sendLeft));
  }

  close() {
    return this.pool.close();
  }
}
