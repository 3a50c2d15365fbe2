import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What builds the documentation of a clone: seen from the built service. */
const PREPARE = fileURLToPath(new URL('../../../../../scripts/prepare.mjs', import.meta.url));
/** What npm needs of the environment. The rest has the installation's secrets. */
const ENVIRONMENT =
  /^(?:PATH|HOME|TMPDIR|LANG|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_.*|APPDATA|SystemRoot|COMSPEC)$/i;

/**
 * Builds the documentation of a clone when someone asks for it, once: `npm start` leaves it out, because it takes a minute and 150 MB.
 * Elsewhere it comes built, or not at all.
 */
@Injectable()
export class DocsBuild implements OnApplicationShutdown {
  private readonly logger = new Logger('Docs');
  private state: 'none' | 'running' | 'ended' = 'none';
  private child?: ChildProcess;

  /** Starts the build, unless it has been started or this is no clone. Returns whether it runs. */
  start(whenBuilt: () => void): boolean {
    if (this.state === 'none' && existsSync(PREPARE)) this.run(whenBuilt);
    return this.state === 'running';
  }

  onApplicationShutdown(): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      // With what it has started. Windows has no groups of processes.
      process.kill(process.platform === 'win32' ? pid : -pid);
    } catch {
      // It has ended by itself.
    }
  }

  private run(whenBuilt: () => void): void {
    this.logger.log('building the documentation, because someone asked for it');
    this.state = 'running';
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));
    const child = spawn(process.execPath, [PREPARE, '--docs'], {
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child = child;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-500)));
    child.once('error', (error) => (said = error.message));
    child.once('close', (code) => {
      this.state = 'ended';
      this.child = undefined;
      if (code !== 0) return this.logger.warn(`the documentation could not be built: ${said.trim()}`);
      whenBuilt();
      this.logger.log('built the documentation');
    });
  }
}
