import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { freePort } from '../../support/process.js';
import { disown, own, signal, until } from './processes.js';

/** A Redis that may be killed and frozen; `redis-server` must be on the path. */
export class Redis {
  private child!: ChildProcess;

  private constructor(private readonly port: string) {}

  static async start(): Promise<Redis> {
    const redis = new Redis(await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const options = ['--save', '', '--appendonly', 'no', '--port', this.port, '--bind', '127.0.0.1'];
    this.child = spawn('redis-server', options, { stdio: 'ignore' });
    await new Promise((resolve, reject) => this.child.once('spawn', resolve).once('error', reject));
    own(this.child.pid!);
    await until('Redis starts', () => this.answers());
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
    disown(child.pid!);
  }

  freeze(): void {
    signal(this.child.pid!, 'SIGSTOP');
  }

  thaw(): void {
    signal(this.child.pid!, 'SIGCONT');
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(Number(this.port), '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('data', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
  }
}
