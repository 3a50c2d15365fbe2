import type { PanelModule } from '../types.js';

/** The file name of the panel; put in by the build, since it carries the hash of its content. */
declare const __PANEL__: string;

/** Loads the panel once; after a failure the next call tries again. */
export function createLoader(url: string): () => Promise<PanelModule> {
  const address = `${url}/widget/${__PANEL__}`;
  let loading: Promise<PanelModule> | undefined;
  let failures = 0;
  const load = async (): Promise<PanelModule> => {
    try {
      // Some browsers keep a failed import for good under its address.
      return (await import(/* @vite-ignore */ failures ? `${address}?retry=${failures}` : address)) as PanelModule;
    } catch (error) {
      loading = undefined;
      failures += 1;
      throw error;
    }
  };
  return () => (loading ??= load());
}
