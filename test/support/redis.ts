import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import { disown, own, signal } from './owned.js';
import { freePort } from './ports.mjs';

/** A Redis of the test that can be killed, frozen, and restarted at the same address. */
export class RedisServer {
  private child?: ChildProcess;

  private constructor(readonly port: string) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const options = ['--port', this.port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    const failed = once(this.child, 'error').then(([error]) =>
      Promise.reject(new Error('redis-server', { cause: error })),
    );
    if (this.child.pid !== undefined) own(this.child.pid);
    let output = '';
    while (!output.includes('Ready to accept connections')) {
      const [chunk] = (await Promise.race([once(this.child.stdout!, 'data'), failed])) as [Buffer];
      output += chunk.toString();
    }
    this.child.stdout!.resume();
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    disown(child.pid);
  }

  freeze(): void {
    signal(this.child!.pid!, 'SIGSTOP');
  }

  thaw(): void {
    signal(this.child!.pid!, 'SIGCONT');
  }

  /** The channels with subscribers. */
  async channels(): Promise<string[]> {
    const client = await this.connect();
    try {
      return (await client.pubSubShardChannels()).toSorted();
    } finally {
      client.destroy();
    }
  }

  /** The stored keys. */
  async keys(): Promise<string[]> {
    const client = await this.connect();
    try {
      return await client.keys('*');
    } finally {
      client.destroy();
    }
  }

  /** Runs a command, for example to change a setting. */
  async run(command: string[]): Promise<void> {
    const client = await this.connect();
    try {
      await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  /** Ends all connections of clients. */
  async disconnectAll(password?: string): Promise<void> {
    const client = await this.connect(password);
    try {
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    } finally {
      client.destroy();
    }
  }

  private async connect(password?: string) {
    const client = createClient({ url: this.url, password });
    await client.connect();
    return client;
  }
}
