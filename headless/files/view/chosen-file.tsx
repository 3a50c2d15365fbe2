import { useState } from 'preact/hooks';
import { fill } from '../../text.js';
import type { FileWords } from '../../file-words/en.js';
import { mayRetry, refusalOf } from '../refusals.js';
import type { Chosen, Tray } from '../tray.js';
import { CROSS, Drawing, Facts, Sheet } from './card.js';
import type { FileKit } from './kit.js';

interface ChosenFileProps {
  item: Chosen;
  tray: Tray;
  kit: FileKit;
  words: FileWords;
  /** Bytes. */
  maxSize: number;
}

/** A file of the draft: its picture, how far it is, and what can be done with it. */
export function ChosenFile({ item, tray, kit, words, maxSize }: ChosenFileProps) {
  const { strings, locale } = kit;
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
        <Facts name={name} size={size} type={uploaded?.type ?? ''} locale={locale} />
        {isGoing && (
          <progress aria-label={fill(words.uploading, { name })} value={sent} max={size || 1}>
            {`${Math.floor((100 * sent) / (size || 1))} %`}
          </progress>
        )}
        {state === 'failed' && (
          <p class="why" role="alert">
            {refusalOf(code, words, strings, maxSize, locale)}{' '}
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
        class="button quiet round close"
        aria-label={fill(words.remove, { name })}
        onClick={(event) => leave(event.currentTarget)}
      >
        <Drawing path={CROSS} />
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
