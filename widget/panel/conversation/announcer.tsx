import { useEffect, useState } from 'preact/hooks';
import type { Message } from '../../client/types.js';
import { isMarkdown, withoutMarks } from '../../../headless/markdown/marks.js';
import { fill } from '../../../headless/text.js';
import type { Strings } from '../../locales/en.js';
import { usePanel } from '../lib/context.js';
import { optionsOf } from '../../../headless/options.js';
import { namesOf } from '../../../headless/files/names.js';
import { pictureOf } from '../../../headless/picture.js';
import { disclosureOf, isAi, systemWords } from './senders.js';

const KEPT = 5;

/** Announces each new message to screen readers once. The list itself cannot, because old messages are added to it. */
export function Announcer({ isOpen }: { isOpen: boolean }) {
  const { host, client, strings } = usePanel();
  const [lines, setLines] = useState<readonly Message[]>([]);
  useEffect(() => {
    if (!isOpen) return undefined;
    return client.onMessage((message) => {
      if (message.sender.type !== 'VISITOR') setLines((said) => [...said.slice(1 - KEPT), message]);
    });
  }, [client, isOpen]);
  const first = client.messages.value.find(({ sender }) => isAi(sender));
  return (
    <div class="hidden" role="log" aria-live="polite" aria-label={strings.newMessages}>
      {lines.map((message) => (
        <p key={message.id}>
          {message.id === first?.id && `${disclosureOf(host)} `}
          {textOf(message, strings, isAi(message.sender) ? ` · ${host.words.ai ?? 'AI'}` : '')}
        </p>
      ))}
    </div>
  );
}

/** Who says what, and the answers to choose from. @param mark what is said beside the name */
function textOf(message: Message, strings: Strings, mark: string): string {
  const { sender, content, type } = message;
  if (sender.type === 'SYSTEM') {
    const { template, names } = systemWords(message, strings);
    return fill(template, names);
  }
  const picture = type === 'IMAGE' && pictureOf(message, strings.image);
  const said = isMarkdown(message) ? withoutMarks(content) : content;
  const words = picture ? `${picture.alt} ${picture.caption ?? ''}` : `${said} ${namesOf(message)}`;
  const labels = optionsOf(message).map(({ label }) => label);
  return `${sender.name || strings.team}${mark}: ${[words.trim(), ...labels].join('. ').replaceAll(/([\p{STerm}:：…][\p{Pe}\p{Pf}\p{Pi}"']*)\. /gu, '$1 ')}`;
}
