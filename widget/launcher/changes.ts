/** The globals that the chat uses most. */
const USED =
  'fetch queueMicrotask matchMedia crypto Intl URLSearchParams AbortSignal TextDecoder Element Array String Object Promise JSON Map Set Date URL WebSocket AbortController ResizeObserver';

/** Returns what the page has changed or removed of JavaScript: functions of these types that aren't the browser's. */
export function findChange(): string | undefined {
  let name = '';
  const isChanged = (it: unknown) =>
    typeof it === 'function' && !/native code/.test(Function.prototype.toString.call(it));
  try {
    for (name of USED.split(' ')) {
      const used = window[name as 'Object'];
      if (isChanged(used)) return name;
      for (const holder of [used, used.prototype ?? {}]) {
        const members = Object.getOwnPropertyDescriptors(holder);
        for (const key in members) if (isChanged(members[key]!.value)) return `${name}: ${key}`;
      }
    }
    return undefined;
  } catch {
    return name;
  }
}
