import { useEffect, useRef, useState } from 'preact/hooks';
import { namesOf } from '../../../headless/files/names.js';
import { fill } from '../../../headless/text.js';
import type { Message } from '../../../headless/types.js';
import { listNames, senderName } from '../../lib/names.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';

export function Typists({ chat, visitor }: { chat: OpenChat; visitor: string }) {
  const text = strings.value;
  const typists = chat.typists.value;
  const names = typists.map((sender) => senderName(sender, visitor));
  const doing = typists.find(({ status }) => status)?.status;
  return (
    <p class="typists" aria-live="off">
      {names.length > 0 && (
        <>
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {fill(names.length === 1 ? text.isTyping : text.areTyping, { name: names[0]!, names: listNames(names) })}
          {doing && (
            <span class="one-line" title={doing}>
              {doing}
            </span>
          )}
        </>
      )}
    </p>
  );
}

/** Announces the visitor's new messages to screen readers, each once. */
export function Announcer({ messages, visitor }: { messages: readonly Message[]; visitor: string }) {
  const last = messages.at(-1);
  const known = useRef<number>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const seq = last?.seq ?? 0;
    const isNew = known.current !== undefined && seq > known.current;
    known.current = Math.max(known.current ?? 0, seq);
    if (isNew && last?.sender.type === 'VISITOR') setSaid(`${visitor}: ${last.content || namesOf(last)}`);
  }, [last?.seq]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
