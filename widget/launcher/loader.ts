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
  let failures = 0;
  let change: string | undefined;
  const bring = (name: string): Promise<unknown> => {
    const address = `${url}/widget/${name}`;
    // Some browsers never request an address again after its import has failed.
    return import(/* @vite-ignore */ failures ? `${address}?retry=${failures}` : address);
  };
  const load = async (name: string): Promise<unknown> => {
    // Scripts that load later change it too. What the panel loads runs where the panel does.
    if (!loading[__PANEL__]) change ||= findChange();
    try {
      return await (change
        ? ((await bring(__REALM__)) as Realm).load(`${url}/widget/${name}`, nonce, change)
        : bring(name));
    } catch (error) {
      delete loading[name];
      failures += 1;
      throw error;
    }
  };
  return <T>(name: string) => (loading[name] ??= load(name)) as Promise<T>;
}
