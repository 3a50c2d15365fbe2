import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { loadConfig } from '../../config/config.js';
import { clientIp, trustOf } from './client-ip.js';

describe('clientIp', () => {
  it.each(['', '1', 'loopback'])('a reset connection has an empty address, with TRUST_PROXY=%j', (proxies) => {
    const request = { headers: {}, socket: {} } as IncomingMessage;
    expect(clientIp(request, trustOf(loadConfig({ NODE_ENV: 'test', TRUST_PROXY: proxies })))).toBe('');
  });
});
