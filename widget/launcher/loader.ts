/** Returns a function that loads a module once, by its file name. After a failure the next call tries again. */
export function createLoader(url: string): <T>(name: string) => Promise<T> {
  const loading: Record<string, Promise<unknown>> = {};
  let failures = 0;
  const load = async (name: string): Promise<unknown> => {
    const address = `${url}/widget/${name}`;
    try {
      // Some browsers never request an address again after its import has failed.
      return await import(/* @vite-ignore */ failures ? `${address}?retry=${failures}` : address);
    } catch (error) {
      delete loading[name];
      failures += 1;
      throw error;
    }
  };
  return <T>(name: string) => (loading[name] ??= load(name)) as Promise<T>;
}
