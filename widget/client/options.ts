import type { VisitorClientOptions } from './types.js';

const isObject = (given: unknown) => typeof given === 'object' && given !== null;

/** @throws TypeError that names the function and the option */
export function checkService(
  caller: string,
  { url, widgetKey }: Partial<Pick<VisitorClientOptions, 'url' | 'widgetKey'>>,
): void {
  if (!isAddress(url)) fail(caller, 'url', 'the address of the service, such as https://chat.example.com', url);
  // Not the whole value: it may be a secret in the wrong place.
  if (typeof widgetKey !== 'string' || !/^prl_wk_[\w-]+$/.test(widgetKey))
    fail(caller, 'widgetKey', "the organization's public key, prl_wk_ and 24 characters", begin(widgetKey));
}

/** @throws TypeError that names the option */
export function checkOptions(options: Partial<VisitorClientOptions>): void {
  const caller = 'createVisitorClient';
  checkService(caller, options);
  const { identity, visitor, page, metadata, locale, onSignedOut, storage } = options;
  if (identity !== undefined && typeof identity !== 'string' && typeof identity !== 'function')
    fail(caller, 'identity', 'a JWT or a function that returns one', identity);
  if (visitor !== undefined && !isObject(visitor))
    fail(caller, 'visitor', 'an object with name, email, or metadata', visitor);
  if (page !== undefined && typeof page !== 'function') fail(caller, 'page', 'a function', page);
  if (metadata !== undefined && typeof metadata !== 'function') fail(caller, 'metadata', 'a function', metadata);
  if (locale !== undefined && typeof locale !== 'function') fail(caller, 'locale', 'a function', locale);
  if (onSignedOut !== undefined && typeof onSignedOut !== 'function')
    fail(caller, 'onSignedOut', 'a function', onSignedOut);
  if (storage !== undefined && !['getItem', 'setItem', 'removeItem'].every((name) => isMethod(storage, name)))
    fail(caller, 'storage', 'an object with getItem, setItem, and removeItem', storage);
}

function isAddress(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, pathname, search, hash } = new URL(url);
  // The widget's script is a frequent mistake.
  return /^https?:$/.test(protocol) && !pathname.endsWith('/widget.js') && !search && !hash;
}

function isMethod(storage: unknown, name: string): boolean {
  return isObject(storage) && typeof (storage as Record<string, unknown>)[name] === 'function';
}

function begin(given: unknown): unknown {
  return typeof given === 'string' && given.length > 8 ? `${given.slice(0, 7)}…` : given;
}

function fail(caller: string, option: string, wanted: string, given: unknown): never {
  throw new TypeError(`${caller}: ${option} must be ${wanted}; it is ${JSON.stringify(given) ?? String(given)}`);
}
