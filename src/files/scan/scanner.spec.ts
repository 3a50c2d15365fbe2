import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { Config } from '../../platform/config/config.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { FileStore } from '../stores/store.js';
import { Scanner } from './scanner.js';

it('a scanner that is down is logged once, with the cause', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const metrics = { histogram: () => ({ observe: () => undefined }) } as unknown as Metrics;
  const store = { read: () => Promise.resolve(Readable.from([Buffer.from('x')])) } as unknown as FileStore;
  const scanner = new Scanner({ FILE_SCAN_URL: 'clamd://127.0.0.1:1' } as Config, metrics);
  for (let at = 0; at < 2; at++) await expect(scanner.isClean(store, 'key', 1)).rejects.toThrow(/scanned/);
  const cause = { name: 'files_scanner', message: 'connect ECONNREFUSED 127.0.0.1:1' };
  expect(warn.mock.calls).toEqual([[{ cause }, expect.stringContaining('FILE_SCAN_URL')]]);
  warn.mockRestore();
});
