import { describe, expect, it } from '@jest/globals';
import { createVisitorClient, readSettings } from '../../widget/client.js';

describe("the client's options", () => {
  const good = { url: 'https://chat.example.com/', widgetKey: 'prl_wk_x' };

  it.each([
    ['url', { url: undefined }],
    ['url', { url: '' }],
    ['url', { url: 'chat.example.com' }],
    ['url', { url: 'ftp://chat.example.com' }],
    ['url', { url: 'https://chat.example.com/widget.js' }],
    ['url', { url: 'https://chat.example.com/?key=prl_wk_x' }],
    ['url', { url: 'https://shop.example/chat#top' }],
    ['url', { url: 'https://shop.example/chat/widget.js' }],
    ['widgetKey', { widgetKey: undefined }],
    ['widgetKey', { widgetKey: '' }],
    ['widgetKey', { widgetKey: 'prl_wk_…' }],
    ['widgetKey', { widgetKey: 42 }],
    ['identity', { identity: { sub: 'user-42' } }],
    ['identity', { identity: null }],
    ['visitor', { visitor: 'Vera' }],
    ['page', { page: { url: 'https://shop.example' } }],
    ['onSignedOut', { onSignedOut: true }],
    ['storage', { storage: {} }],
    ['storage', { storage: { getItem: () => null } }],
    ['storage', { storage: null }],
  ])('an error names the wrong option %s: %j', (name, wrong) => {
    const make = () => createVisitorClient({ ...good, ...wrong } as never);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`createVisitorClient: ${name} must be `);
  });

  it.each([undefined, null])('missing options are an error: %j', async (missing) => {
    expect(() => createVisitorClient(missing as never)).toThrow('createVisitorClient: url must be');
    await expect(readSettings(missing as never)).rejects.toThrow('readSettings: url must be');
  });

  it('an error shows only the beginning of a secret in the place of the key', () => {
    const make = () => createVisitorClient({ ...good, widgetKey: 'prl_bt_secret' });
    expect(make).toThrow('it is "prl_bt_…"');
    expect(make).not.toThrow('secret');
  });

  it('valid options create a client that does nothing yet', () => {
    const client = createVisitorClient(good);
    expect(client.connection.value).toEqual({ state: 'idle' });
    client.close();
  });
});
