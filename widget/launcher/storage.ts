/**
 * Whether something of a visitor is kept in this browser: a chat, whose badge must count before anybody opens the panel; a
 * token, which must be ended when somebody logs out.
 */
export function keeps(widgetKey: string, what: 'chatId' | 'token'): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(`parley:${widgetKey}`) ?? 'null') as Record<string, unknown> | null;
    return !!kept?.[what];
  } catch {
    return false;
  }
}
