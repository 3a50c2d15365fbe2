import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { FileWords } from '../../file-words/en.js';
import { Icon } from '../../panel/icon.js';
import { usePanel } from '../../panel/lib/context.js';
import { Facts, Sheet } from '../files/card.js';
import { mayRetry, refusalOf } from './refusals.js';
import type { Chosen, Tray } from './tray.js';

interface ChosenFileProps {
  item: Chosen;
  tray: Tray;
  words: FileWords;
  maxSize: number;
}

/** A file of the draft: its picture, how far it is, and what can be done with it. */
export function ChosenFile({ item, tray, words, maxSize }: ChosenFileProps) {
  const { strings } = usePanel();
  const { key, name, size, state, sent, code = '', uploaded } = item;
  const isGoing = state === 'waiting' || state === 'uploading';
  const leave = (button: HTMLElement) => {
    button.closest('form')!.querySelector('textarea')!.focus();
    tray.remove(key);
  };
  return (
    <li class={`chosen-file ${state}`}>
      <Preview item={item} />
      <div class="about">
        <Facts name={name} size={size} type={uploaded?.type ?? ''} />
        {isGoing && (
          <progress aria-label={fill(words.uploading, { name })} value={sent} max={size || 1}>
            {`${Math.floor((100 * sent) / (size || 1))} %`}
          </progress>
        )}
        {state === 'failed' && (
          <p class="why" role="alert">
            {refusalOf(code, words, strings, maxSize)}{' '}
            {mayRetry(code) && (
              <button
                type="button"
                class="text"
                aria-label={fill(words.again, { name })}
                onClick={() => tray.retry(key)}
              >
                {strings.retry}
              </button>
            )}
          </p>
        )}
        {state === 'done' && uploaded?.type.startsWith('audio/') && (
          <audio controls preload="none" src={uploaded.url} />
        )}
      </div>
      <button
        type="button"
        class="round close"
        aria-label={fill(words.remove, { name })}
        onClick={(event) => leave(event.currentTarget)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** The picture itself, unless the page's policy or the browser refuses it. */
function Preview({ item: { preview, uploaded } }: { item: Chosen }) {
  const [isBroken, setBroken] = useState(false);
  const src = preview ?? (uploaded?.width ? uploaded.url : undefined);
  if (!src || isBroken) return <Sheet />;
  return <img src={src} alt="" width={44} height={44} referrerpolicy="no-referrer" onError={() => setBroken(true)} />;
}
