/** Whether the panel was open on the page before, in this tab. The panel keeps it. */
export function wasOpen(): boolean {
  return holds(() => sessionStorage.getItem('parley:open'));
}

/**
 * Whether this browser has stored a chat, whose unread messages the badge counts before the panel opens, or a token,
 * which a logout must revoke.
 */
export function keeps(widgetKey: string, what: 'chatId' | 'token'): boolean {
  // JSON.parse makes null of nothing stored.
  return holds(() => (JSON.parse(localStorage.getItem(`parley:${widgetKey}`)!) as Record<string, unknown>)[what]);
}

// A browser may refuse its storage, and hold in it what another program wrote.
function holds(read: () => unknown): boolean {
  try {
    return !!read();
  } catch {
    return false;
  }
}
