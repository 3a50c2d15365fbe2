import type { ComponentChildren } from 'preact';
import type { ViewName } from '../../api/types.js';
import { linkTo } from '../../state/route.js';

interface ChatLinkProps {
  chatId: string;
  view: ViewName;
  /** Whether its visitor has waited too long. */
  isLate?: boolean;
  class?: string;
  children: ComponentChildren;
}

/** A link that opens a chat in the inbox. */
export function ChatLink({ chatId, view, isLate = false, class: name = '', children }: ChatLinkProps) {
  return (
    <a class={`${name} ${isLate ? 'warns' : ''}`} {...linkTo({ page: 'inbox', place: { view }, chatId })}>
      {children}
    </a>
  );
}
