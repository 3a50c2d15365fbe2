import type { VisitorClientOptions } from './types.js';

/** @throws TypeError that names the option */
export function checkOptions({ url, widgetKey, storage }: Partial<VisitorClientOptions> = {}): void {
  if (!isAddress(url)) fail('url', 'the address of the service, such as https://chat.example.com', url);
  if (typeof widgetKey !== 'string' || !widgetKey)
    fail('widgetKey', "the organization's public key, prl_wk_…", widgetKey);
  if (storage !== undefined && typeof storage?.getItem !== 'function')
    fail('storage', 'an object with getItem, setItem and removeItem', storage);
}

function isAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:/i.test(url);
}

function fail(option: string, wanted: string, given: unknown): never {
  throw new TypeError(
    `createVisitorClient: ${option} must be ${wanted}; it is ${given === undefined ? 'undefined' : JSON.stringify(given)}`,
  );
}
