import { describe, expect, it } from '@jest/globals';
import { createVisitorClient } from '../../widget/client.js';

describe("the client's options", () => {
  const good = { url: 'https://chat.example.com/', widgetKey: 'prl_wk_x' };

  it.each([
    ['url', { url: undefined }],
    ['url', { url: '' }],
    ['url', { url: 'chat.example.com' }],
    ['url', { url: 'ftp://chat.example.com' }],
    ['widgetKey', { widgetKey: undefined }],
    ['widgetKey', { widgetKey: '' }],
    ['storage', { storage: {} }],
    ['storage', { storage: null }],
  ])('an error names the wrong option %s: %j', (name, wrong) => {
    const make = () => createVisitorClient({ ...good, ...wrong } as never);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`createVisitorClient: ${name} must be `);
  });

  it('missing options are an error', () => {
    expect(() => createVisitorClient(undefined as never)).toThrow('createVisitorClient: url must be');
  });

  it('valid options create a client that does nothing yet', () => {
    const client = createVisitorClient(good);
    expect(client.connection.value).toEqual({ state: 'idle' });
    client.close();
  });
});
