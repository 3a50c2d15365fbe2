import { findChange } from './changes.js';

/** The names of the files, which the build inserts. */
declare const __REALM__: string;
declare const __PANEL__: string;
type Realm = typeof import('../realm/realm.js');

/**
 * Returns a function that loads a module once, by its file name. After a failure the next call tries again. If the page has changed
 * JavaScript, the modules run in a frame.
 */
export function createLoader(url: string, nonce: string): <T>(name: string) => Promise<T> {
  const loading: Record<string, Promise<unknown>> = {};
  let change: string | undefined;
  // One, because each makes a frame.
  let realm: Realm | undefined;
  // Some browsers never request an address again after its import has failed: it grows with each failure.
  let query = '';
  const addressOf = (name: string) => `${url}/widget/${name}${query}`;
  const bring = (name: string): Promise<unknown> => import(/* @vite-ignore */ addressOf(name));
  const load = async (name: string): Promise<unknown> => {
    // Scripts that load later change it too. What the panel loads runs where the panel does.
    if (!loading[__PANEL__]) change ||= findChange();
    try {
      return await (change
        ? (realm ??= (await bring(__REALM__)) as Realm).load(addressOf(name), nonce, change)
        : bring(name));
    } catch (error) {
      delete loading[name];
      query += '?1';
      throw error;
    }
  };
  return <T>(name: string) => (loading[name] ??= load(name)) as Promise<T>;
}
