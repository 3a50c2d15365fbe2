import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/config.js';
import { nextRetry } from './retry-schedule.js';

const { WEBHOOK_RETRY_SECONDS: schedule } = loadConfig({ ADMIN_TOKEN: 'admin-token', SECRET_KEY: 'secret-key' });
const middle = () => 0.5;
const at = (retryCount: number, retryAfter: string | null = null, random = middle) =>
  nextRetry(schedule, retryCount, retryAfter, random);

describe('the schedule of retries', () => {
  it('the retry steps are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and 24 h', () => {
    const steps = Array.from({ length: 10 }, (_, retryCount) => at(retryCount));
    const hour = 3_600;
    expect(steps).toEqual([5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour), null]);
  });

  it('each delay varies by 20 %', () => {
    expect(at(1, null, () => 0)).toBe(240);
    expect(at(1, null, () => 1)).toBeCloseTo(360);
  });

  it('Retry-After is honored between the step and 24 h', () => {
    expect(at(1, '10')).toBe(300);
    expect(at(1, '1000')).toBe(1_000);
    expect(at(1, '1000000')).toBe(86_400);
    expect(at(1, 'soon')).toBe(300);
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    expect(Math.abs(at(1, inAnHour)! - 3_600)).toBeLessThan(10);
    expect(at(1, new Date(0).toUTCString())).toBe(300);
    expect(at(9, '10')).toBeNull();
  });
});
