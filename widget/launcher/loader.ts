import type { PanelModule } from '../types.js';

/** The file name of the panel. The build inserts it, because it contains a hash of the content. */
declare const __PANEL__: string;

/** Returns a function that loads the panel once. After a failure the next call tries again. */
export function createLoader(url: string): () => Promise<PanelModule> {
  const address = `${url}/widget/${__PANEL__}`;
  let loading: Promise<PanelModule> | undefined;
  let failures = 0;
  const load = async (): Promise<PanelModule> => {
    try {
      // Some browsers never request an address again after its import has failed.
      return (await import(/* @vite-ignore */ failures ? `${address}?retry=${failures}` : address)) as PanelModule;
    } catch (error) {
      loading = undefined;
      failures += 1;
      throw error;
    }
  };
  return () => (loading ??= load());
}
