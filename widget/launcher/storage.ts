/** Whether a chat is going on in this browser: then the badge must count before anybody opens the panel. */
export function hasChat(widgetKey: string): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(`parley:${widgetKey}`) ?? 'null') as { chatId?: unknown } | null;
    return !!kept?.chatId;
  } catch {
    return false;
  }
}
