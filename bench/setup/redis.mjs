import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onEnd } from './ending.mjs';
import { freePort } from '../../test/support/ports.mjs';

/** Whether this machine can run the part that needs Redis. */
export function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** The run's own redis-server, which can be running, killed, or frozen. */
export class Redis {
  static async start() {
    const redis = new Redis();
    redis.port = await freePort();
    onEnd(async () => redis.child?.kill('SIGKILL'));
    await redis.become('there');
    return redis;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** @param state `there`, `killed` or `frozen` */
  async become(state) {
    if (state === this.state) return;
    if (this.state === 'frozen') this.child.kill('SIGCONT');
    if (this.state === 'killed' || this.state === undefined) await this.spawn();
    if (state === 'frozen') this.child.kill('SIGSTOP');
    if (state === 'killed') {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    this.state = state;
  }

  async spawn() {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 2] });
    let output = '';
    for await (const chunk of this.child.stdout.iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (output.includes('Ready to accept connections')) break;
    }
    this.child.stdout.resume();
  }
}
