import { Injectable, Logger } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Config } from '../../platform/config/config.js';
import { parseScanUrl, type ScanUrl } from '../../platform/config/files-url.js';
import { because, Fault } from '../../platform/errors/problem.js';
import { type Histogram, Metrics } from '../../platform/telemetry/metrics.js';
import { type FileStore, StoreUnavailable } from '../stores/store.js';
import { scanWithClamd, TooLargeToScan } from './clamd.js';

const ANSWER_MS = 30_000;
const RETRY_SECONDS = 10;

/** Asks the operator's scanner about bytes (CONTRACT: File scans). It gets no name, chat, or visitor. */
@Injectable()
export class Scanner {
  private readonly logger = new Logger('Files');
  private readonly target: ScanUrl | null;
  private isFailing = false;
  private readonly durations: Histogram;

  constructor({ FILE_SCAN_URL }: Config, metrics: Metrics) {
    this.target = FILE_SCAN_URL === undefined ? null : parseScanUrl(FILE_SCAN_URL);
    this.durations = metrics.histogram('parley_file_scan_duration_seconds');
  }

  /** Whether the scanner found nothing; true without a scanner, and false for a file that's too large for it. @throws Problem unavailable without a verdict within 30 s */
  async isClean(store: FileStore, key: string, size: number): Promise<boolean> {
    if (!this.target) return true;
    const startedAt = performance.now();
    const body = await store.read(key, { start: 0, end: size - 1 });
    try {
      const isClean = await scanBytes(this.target, body, size).catch((error: unknown) => {
        if (!(error instanceof TooLargeToScan)) throw error;
        this.logger.warn({ size }, 'a file is too large for the scanner of FILE_SCAN_URL, and is refused');
        return false;
      });
      if (this.isFailing) this.logger.log('the scanner answers again');
      this.isFailing = false;
      return isClean;
    } catch (error) {
      if (body.errored instanceof StoreUnavailable) throw body.errored;
      const cause = { name: 'files_scanner', message: reasonOf(error as Error) };
      // One line an outage: each upload is retried. Its code may look like that of a database that can't be reached.
      if (!this.isFailing)
        this.logger.warn({ cause }, 'the scanner of FILE_SCAN_URL gives no verdict; uploads are 503');
      this.isFailing = true;
      const detail = 'The file could not be scanned; retry later';
      throw because(new Fault('unavailable', detail, undefined, RETRY_SECONDS), cause);
    } finally {
      body.destroy();
      this.durations.observe((performance.now() - startedAt) / 1000);
    }
  }
}

// An error of `fetch` has the reason in its cause.
function reasonOf({ message, cause }: Error): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}

/** Whether a scanner finds nothing in these bytes. @throws TooLargeToScan, or Error without a verdict within 30 s */
export function scanBytes({ isClamd, url }: ScanUrl, body: Readable, size: number): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  return isClamd ? scanWithClamd(url, body, signal) : scanOverHttp(url, body, size, signal);
}

async function scanOverHttp(address: URL, body: Readable, size: number, signal: AbortSignal): Promise<boolean> {
  const url = new URL(address);
  const { username, password } = url;
  url.username = url.password = '';
  const headers: Record<string, string> = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(size),
  };
  if (username !== '') {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.Authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  const init = { method: 'POST', headers, body: Readable.toWeb(body), duplex: 'half', signal, redirect: 'error' };
  const response = await fetch(url, init as unknown as RequestInit);
  if (response.status === 413) throw new TooLargeToScan('the scanner answers 413');
  const answer: unknown = response.status === 200 ? await response.json() : null;
  const isClean = (answer as { clean?: unknown } | null)?.clean;
  if (typeof isClean !== 'boolean') throw new Error(`the scanner answers ${response.status} without a verdict`);
  return isClean;
}
