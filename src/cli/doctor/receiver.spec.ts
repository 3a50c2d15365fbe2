import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Receiver } from './receiver.js';

describe('Receiver', () => {
  it('ignores requests that are not events, and then receives an event', async () => {
    const receiver = new Receiver();
    const url = await receiver.open();
    receiver.secret = 'whsec_AAAA';
    try {
      for (const body of ['', 'no JSON']) expect((await fetch(url, { method: 'POST', body })).ok).toBe(true);
      const body = JSON.stringify({ type: 'message.created', data: { message: { id: 'msg_a' } } });
      const signature = createHmac('sha256', Buffer.from('AAAA', 'base64')).update(`evt_a.1.${body}`).digest('base64');
      const headers = { 'webhook-id': 'evt_a', 'webhook-timestamp': '1', 'webhook-signature': `v1,${signature}` };
      await fetch(url, { method: 'POST', headers, body });
      expect(await receiver.next('msg_a')).toBe(true);
    } finally {
      receiver.close();
    }
  });
});
