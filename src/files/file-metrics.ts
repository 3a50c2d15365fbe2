import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { countedGauges } from '../platform/telemetry/counted-gauges.js';
import { type Counter, type Family, Metrics } from '../platform/telemetry/metrics.js';

const COUNT = `
  SELECT (SELECT COALESCE(sum(bytes), 0) FROM file_usage)::float8 AS bytes,
    (SELECT count(*) FROM file_removals WHERE cleared_at IS NULL)::float8 AS waiting`;

/** The metrics of files (CONTRACT: Logs of files). */
@Injectable()
export class FileMetrics {
  readonly uploads: Family<Counter>;
  readonly uploadBytes: Counter;
  readonly downloadBytes: Counter;
  readonly missing: Counter;
  private readonly inFlight = { upload: 0, download: 0 };

  constructor(metrics: Metrics, @Inject(POOL) pool: Pool) {
    this.uploads = metrics.counters('parley_uploads_total');
    this.uploadBytes = metrics.counter('parley_upload_bytes_total');
    this.downloadBytes = metrics.counter('parley_download_bytes_total');
    this.missing = metrics.counter('parley_files_missing_total');
    const gauge = metrics.gauges('parley_file_transfers_in_flight');
    for (const direction of ['upload', 'download'] as const) gauge(direction, () => this.inFlight[direction]);
    const counted = countedGauges<{ bytes: number; waiting: number }>(pool, metrics, 'files', COUNT);
    metrics.gauge('parley_files_stored_bytes', counted('bytes'));
    metrics.gauge('parley_file_removals_waiting', counted('waiting'));
  }

  begin(direction: 'upload' | 'download'): () => void {
    this.inFlight[direction]++;
    return () => void this.inFlight[direction]--;
  }

  get downloads(): number {
    return this.inFlight.download;
  }
}
