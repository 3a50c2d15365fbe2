import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../platform/config/config.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { LiveUpdates } from './live-updates.js';

describe('what happens', () => {
  it('is brought to every handler of it, in the order in which they were added', async () => {
    const updates = new LiveUpdates(new OtherNodes({ SECRET_KEY: 'a key' } as Config));
    const heard: string[] = [];
    updates.on('chat.changed', ({ chatId }) => void heard.push(`visitors ${chatId}`));
    updates.on('chat.changed', async ({ chatId }, source) => {
      await Promise.resolve();
      heard.push(`agents ${chatId} ${source}`);
    });
    updates.on('visitor.erased', () => void heard.push('another fact'));
    await updates.bring('cht_1', 'chat.changed', { organizationId: 'org_1', chatId: 'cht_1' });
    expect(heard).toEqual(['visitors cht_1', 'agents cht_1 here']);
  });
});
