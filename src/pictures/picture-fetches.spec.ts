import { describe, expect, it } from '@jest/globals';
import type { OutboundAgent, ResponseHandler } from '../platform/outbound/outbound-agent.js';
import { MAX_FETCHES, MAX_FETCHES_OF_ORGANIZATION, PictureFetches } from './picture-fetches.js';

describe('fetches of pictures', () => {
  /** Hosts that answer nothing until the end. */
  const silentHosts = () => {
    const asked: string[] = [];
    const handlers: ResponseHandler[] = [];
    const dispatch = (url: string, _request: unknown, handler: ResponseHandler) => {
      asked.push(url);
      handlers.push(handler);
    };
    const end = () => handlers.forEach((handler) => handler.onResponseError?.(null as never, new Error('the end')));
    return { asked, end, fetches: new PictureFetches({ dispatch } as unknown as OutboundAgent) };
  };

  it('an organization fetches a picture while others have all places with silent hosts', async () => {
    const { asked, end, fetches } = silentHosts();
    const names = Array.from({ length: MAX_FETCHES / MAX_FETCHES_OF_ORGANIZATION }, (_, place) => `org_${place}`);
    const taken = names.flatMap((name) =>
      Array.from({ length: MAX_FETCHES_OF_ORGANIZATION }, () => fetches.fetch(name, `https://${name}.example`)),
    );
    const oldest = expect(taken[0]).rejects.toMatchObject({ code: 'unavailable' });
    for (const one of taken.slice(1)) one.catch(() => undefined);
    fetches.fetch('org_other', 'https://other.example').catch(() => undefined);
    expect(asked.at(-1)).toBe('https://other.example');
    await oldest;
    await expect(fetches.fetch('org_1', 'https://org_1.example')).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toHaveLength(MAX_FETCHES + 1);
    end();
  });
});
