/** The text of the badge: the number of unread messages, or `!` after a failure. */
export function badgeOf(hasFailed: boolean, unread: number): string {
  if (hasFailed) return '!';
  return unread > 9 ? '9+' : `${unread || ''}`;
}
