import { launcherStrings, type Strings } from '../locales/en.js';
import { fill } from '../../headless/text.js';

/** What decides how the button looks. */
export interface LauncherState {
  isOpen: boolean;
  /** Whether the panel could not be loaded. */
  hasFailed: boolean;
  unread: number;
}

/** The accessible name of the button. */
export function labelOf({ isOpen, hasFailed, unread }: LauncherState, custom: Partial<Strings>): string {
  const strings = { ...launcherStrings, ...custom };
  if (hasFailed) return strings.loadFailed;
  if (isOpen) return strings.close;
  return unread ? fill(strings.openUnread, { count: unread }) : strings.open;
}

/** The text of the badge: the number of unread messages, or `!` after a failure. */
export function badgeOf({ hasFailed, unread }: LauncherState): string {
  if (hasFailed) return '!';
  return unread > 9 ? '9+' : `${unread || ''}`;
}
