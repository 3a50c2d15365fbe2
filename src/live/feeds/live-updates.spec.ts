import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../platform/config/config.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { LiveUpdates } from './live-updates.js';

describe('LiveUpdates', () => {
  it('delivers a fact to each of its handlers, in the order of their registration', async () => {
    const updates = new LiveUpdates(new OtherNodes({ SECRET_KEY: 'a key' } as Config));
    const calls: string[] = [];
    updates.on('chat.changed', ({ chatId }) => void calls.push(`visitors ${chatId}`));
    updates.on('chat.changed', async ({ chatId }, source) => {
      await Promise.resolve();
      calls.push(`agents ${chatId} ${source}`);
    });
    updates.on('visitor.erased', () => void calls.push('another fact'));
    await updates.deliver('cht_1', 'chat.changed', { organizationId: 'org_1', chatId: 'cht_1' });
    expect(calls).toEqual(['visitors cht_1', 'agents cht_1 here']);
  });
});
