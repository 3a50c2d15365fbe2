import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import { freePort } from './process.js';

/** A Redis of the test's own, which can be killed, frozen and started again at the same address. */
export class RedisServer {
  private child?: ChildProcess;

  private constructor(readonly port: string) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', this.port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    const failed = once(this.child, 'error').then(([error]) =>
      Promise.reject(new Error('redis-server', { cause: error })),
    );
    let output = '';
    while (!output.includes('Ready to accept connections')) {
      const [chunk] = (await Promise.race([once(this.child.stdout!, 'data'), failed])) as [Buffer];
      output += chunk.toString();
    }
    this.child.stdout!.resume();
  }

  async kill(): Promise<void> {
    const ended = once(this.child!, 'exit');
    this.child!.kill('SIGKILL');
    await ended;
    this.child = undefined;
  }

  freeze(): void {
    this.child!.kill('SIGSTOP');
  }

  thaw(): void {
    this.child!.kill('SIGCONT');
  }

  /** The channels somebody is subscribed to. */
  async channels(): Promise<string[]> {
    const client = createClient({ url: this.url });
    await client.connect();
    try {
      return (await client.pubSubShardChannels()).toSorted();
    } finally {
      client.destroy();
    }
  }

  async stop(): Promise<void> {
    if (this.child) await this.kill();
  }
}
