import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  status: number;
  type: string;
  text: string;
}

/** Sends raw bytes, where other clients would correct them, and keeps a list of wrong responses. */
export class Stranger {
  readonly faults: string[] = [];
  asked = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(private readonly url: string) {}

  ask(method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string | Buffer): Promise<Answer> {
    const { hostname, port } = new URL(this.url);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const length = bytes && { 'Content-Length': bytes.length };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, agent: this.agent, headers: { ...length, ...headers } };
      const asked = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () =>
          resolve({ status: response.statusCode!, type: response.headers['content-type'] ?? '', text }),
        );
      });
      asked.once('error', reject).end(bytes);
    });
  }

  /**
   * Sends a request, and records what must not happen: an internal error, an error that isn't a problem document, no
   * response.
   */
  async tries(title: string, ...question: Parameters<Stranger['ask']>): Promise<Answer | null> {
    this.asked++;
    const answer = await this.ask(...question).catch(
      (error: unknown) => void this.faults.push(`${title}: ${(error as Error).message}`),
    );
    if (!answer) return null;
    const { status, type, text } = answer;
    const isProblem = type.startsWith('application/problem+json') && JSON.parse(text).status === status;
    if (status >= 500 || (status >= 400 && !isProblem)) this.faults.push(`${title}: ${status} ${text.slice(0, 200)}`);
    return answer;
  }

  /** Sends bytes on a new connection. Returns what it received until the end. */
  shout(text: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.end(text));
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(answer));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
