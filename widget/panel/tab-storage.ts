/** Reads what this tab keeps over pages; empty when the browser keeps nothing. */
export function recall(name: 'open' | 'draft'): string {
  try {
    return sessionStorage.getItem(`parley:${name}`) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text for the next page in this tab. */
export function remember(name: 'open' | 'draft', text: string): void {
  try {
    sessionStorage.setItem(`parley:${name}`, text);
  } catch {
    // Without storage the next page begins anew.
  }
}
