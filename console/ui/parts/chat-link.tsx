import type { ComponentChildren } from 'preact';
import type { ViewName } from '../../api/types.js';
import { go, pathOf, type Route } from '../../state/route.js';

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
  const target: Route = { page: 'inbox', place: { view }, chatId };
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(target);
  };
  return (
    <a class={`${name} ${isLate ? 'warns' : ''}`} href={pathOf(target)} onClick={open}>
      {children}
    </a>
  );
}
