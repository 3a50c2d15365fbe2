/** Whether the panel was open on the page before, in this tab. The panel keeps it. */
export function wasOpen(): boolean {
  try {
    return !!sessionStorage.getItem('parley:open');
  } catch {
    return false;
  }
}

/**
 * Whether this browser has stored a chat, whose unread messages the badge counts before the panel opens, or a token,
 * which a logout must revoke.
 */
export function keeps(widgetKey: string, what: 'chatId' | 'token'): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(`parley:${widgetKey}`) ?? 'null') as Record<string, unknown> | null;
    return !!kept?.[what];
  } catch {
    return false;
  }
}
