/** What a tab keeps: whether the panel is open, the draft, and whether it was greeted and the visitor asked for a name. */
type Name = 'open' | 'draft' | 'greeted' | 'introduced';

/** Reads what this tab keeps over pages; empty when the browser keeps nothing. */
export function recall(name: Name): string {
  try {
    return sessionStorage.getItem(`parley:${name}`) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text for the next page in this tab. */
export function remember(name: Name, text: string): void {
  try {
    sessionStorage.setItem(`parley:${name}`, text);
  } catch {
    // Without storage the next page begins anew.
  }
}
