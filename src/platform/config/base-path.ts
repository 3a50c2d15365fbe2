import { withoutTrailingSlashes } from '../lib/web-url.js';

/** Beginnings of Parley's own paths. A list for PUBLIC_URL: behind a proxy that removes its path, they must stay apart from it. */
export const OWN_PATHS = [
  '/api/admin',
  '/api/agent',
  '/api/bot',
  '/api/mail',
  '/api/visitor',
  '/console',
  '/continue',
  '/demo',
  '/docs',
  '/files',
  '/health',
  '/llms.txt',
  '/metrics',
  '/sdk',
  '/socket.io',
  '/test-chat',
  '/uploads',
  '/widget',
  '/widget.js',
] as const;

/** The longest path of PUBLIC_URL, in characters: it's part of a cookie's name. */
const MAX_LENGTH = 100;
/** One or more parts of unreserved characters, none of them `.` or `..`. A browser, a proxy, and Parley read these in the same way. */
const FORM = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/;
const PATH = /^https?:\/\/[^/]+/i;

/** The path of PUBLIC_URL, such as `/chat`; empty if it has none. */
export function basePathOf(publicUrl = ''): string {
  return withoutTrailingSlashes(publicUrl.replace(PATH, ''));
}

/** Why Parley can't be served at the path of an address; null if it can. */
export function findPathFault(publicUrl: string): string | null {
  const path = basePathOf(publicUrl);
  if (path.length > MAX_LENGTH || !FORM.test(path))
    return `must have a path of at most ${MAX_LENGTH} letters, digits, and -._~ between single slashes, or none`;
  const own = OWN_PATHS.find((one) => isBelow(path.toLowerCase(), one) || isBelow(one, path.toLowerCase()));
  return path !== '' && own ? `must not have a path that begins like Parley's own ${own}, such as /chat` : null;
}

/** Whether a path is another one, or below it. */
function isBelow(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`);
}
