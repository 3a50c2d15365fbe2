import { useEffect, useState } from 'preact/hooks';
import type { Message } from '../../client/types.js';
import { isMarkdown, withoutMarks } from '../../../headless/markdown/marks.js';
import { fill } from '../../../headless/text.js';
import { Icon } from '../../panel/icon.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { playSound } from './sound.js';
import { useTitle } from './title.js';

export { default as styles } from './styles.css?inline';

const KEY = 'parley:dismissed';
const MAX_PREVIEW_LENGTH = 160;

interface NewsProps {
  /** The message that arrived last on this page. */
  arrived?: Message;
  isOpen: boolean;
}

/** Announces unseen messages: a preview next to the button, the count in the tab's title, a sound. */
export function News({ arrived, isOpen }: NewsProps) {
  const { client, strings, host } = usePanel();
  const unread = useObservable(client.unread);
  const newest = useObservable(client.messages).findLast(({ sender }) => isTheirs(sender.type));
  const [dismissed, setDismissed] = useState(recallDismissed);
  useTitle(isOpen ? 0 : unread);
  useEffect(() => {
    const sound = host.settings.sound ?? host.chosen?.sound;
    if (arrived && unread > 0 && sound !== false && sound !== 'off') playSound(arrived.id);
  }, [arrived]);
  const isNews = !isOpen && unread > 0 && newest !== undefined;
  const heading = isNews ? fill(strings.newFrom, { name: newest.sender.name || strings.team }) : '';
  const dismiss = () => setDismissed(rememberDismissed(newest!.id));
  return (
    <>
      <p class="hidden" role="status">
        {heading}
      </p>
      {isNews && newest.id !== dismissed && (
        <div class="news" role="group" aria-label={heading}>
          <button class="peek" onClick={() => void host.open()}>
            <span class="name">
              <bdi>{newest.sender.name || strings.team}</bdi>
            </span>
            <span class="words" dir="auto" title={shorten(newest, strings.image)}>
              {shorten(newest, strings.image)}
            </span>
          </button>
          <button class="round close" aria-label={strings.dismiss} onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </>
  );
}

function isTheirs(type: Message['sender']['type']): boolean {
  return type === 'BOT' || type === 'AGENT';
}

/** The beginning of what was said, without the marks of Markdown. */
function shorten(message: Message, image: string): string {
  const said = isMarkdown(message) ? withoutMarks(message.content) : message.content;
  const words = (message.type === 'IMAGE' && !message.files ? image : said) || message.files?.[0]?.name || '';
  const beginning = Array.from(words.slice(0, 2 * MAX_PREVIEW_LENGTH))
    .slice(0, MAX_PREVIEW_LENGTH)
    .join('');
  return beginning.length < words.length ? `${beginning}…` : words;
}

function recallDismissed(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function rememberDismissed(id: string): string {
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // Without storage it comes again on the next page.
  }
  return id;
}
