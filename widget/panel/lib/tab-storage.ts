/**
 * What a tab keeps: whether the panel is open, the draft and its files, whether it was greeted and the visitor asked for a name, what is typed
 * into the form before a chat, the own fields of it for the next new chat, the opened proactive message, and whether the page named no one
 * while another page of the tab may have.
 */
type Name = 'open' | 'draft' | 'files' | 'greeted' | 'introduced' | 'typed' | 'fields' | 'proactive' | 'guest';

/** What the browser doesn't keep, because it keeps nothing or is full, for as long as the page is open. */
const kept: Partial<Record<Name, string>> = {};

/** Reads what this tab keeps over pages; of this page alone what the browser didn't keep. */
export function recall(name: Name): string {
  try {
    return kept[name] ?? sessionStorage.getItem(`parley:${name}`) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text for the next page in this tab. */
export function remember(name: Name, text: string): void {
  kept[name] = text;
  try {
    sessionStorage.removeItem(`parley:${name}`);
    sessionStorage.setItem(`parley:${name}`, text);
    delete kept[name];
  } catch {
    // Without storage, the next page starts over.
  }
}

/** Forgets what belongs to one person before the next. */
export function forgetWords(): void {
  for (const name of ['draft', 'files', 'introduced', 'typed', 'fields'] as const) remember(name, '');
}
