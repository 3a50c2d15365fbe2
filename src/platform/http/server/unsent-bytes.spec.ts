import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { Metrics } from '../../telemetry/metrics.js';
import { UnsentBytes } from './unsent-bytes.js';

const PIECE = 65_536;
const SECONDS = 180;

/** A client that is sent a piece whenever it has read the one before, and reads so many bytes a second. */
class Reader {
  unsent = 0;
  isEnded = false;

  constructor(private readonly bytes: UnsentBytes) {}

  read(count: number): void {
    this.unsent = Math.max(0, this.unsent - count);
    if (this.unsent === 0) this.write();
  }

  write(): void {
    this.unsent += PIECE;
    this.bytes.watch(this, PIECE);
  }

  end(): void {
    this.isEnded = true;
  }
}

let bytes: UnsentBytes;

beforeEach(() => {
  jest.useFakeTimers();
  bytes = new UnsentBytes(new Metrics(new Registry()));
});
afterEach(() => {
  bytes.onModuleDestroy();
  jest.useRealTimers();
});

const endsAt = (speed: number): number | null => {
  const reader = new Reader(bytes);
  reader.write();
  for (let second = 1; second <= SECONDS; second++) {
    jest.advanceTimersByTime(1_000);
    if (reader.isEnded) return second;
    reader.read(speed);
  }
  return null;
};

it('keeps a client that reads a stream slowly: 16 kB and more in 60 s', () => {
  expect(endsAt(2_000)).toBeNull();
});

it('ends a client that reads less than 16 kB of a stream in 60 s', () => {
  expect(endsAt(200)).toBe(61);
  expect(endsAt(0)).toBe(61);
});
