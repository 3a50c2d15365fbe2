import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { go, type Route } from '../../state/route.js';
import { Icon } from '../../ui/parts/icon.js';
import { remove } from '../api.js';
import { Confirm } from './confirm.js';
import { Deed } from './page-section.js';

interface RemovalProps {
  /** What is removed. */
  name: string;
  /** What the button says. */
  title: string;
  /** What goes with it. */
  hint: string;
  /** Its address in the admin API. */
  path: string;
  /** The list that it is gone from. */
  list: Route;
  /** What is asked, and what is told afterwards; omitted: with its name. */
  question?: string;
  told?: string;
  /** Called when it is gone. */
  onRemoved?: () => void;
}

/** Removing something, which has a page of its own, after a question. */
export function Removal({ name, title, hint, path, list, question, told, onRemoved }: RemovalProps) {
  const text = adminStrings.value;
  const [asks, ask] = useState(false);
  const removeIt = async () => {
    await remove(path);
    notify(told ?? fill(text.removedNow, { name }));
    onRemoved?.();
    go(list, true);
  };
  return (
    <Deed title={title} hint={hint}>
      <button type="button" class="button danger-line" onClick={() => ask(true)}>
        <Icon name="trash" />
        {title}
      </button>
      {asks && (
        <Confirm
          title={question ?? fill(text.removeTitle, { name })}
          hint={hint}
          name={title}
          isDanger
          run={removeIt}
          onClose={() => ask(false)}
        />
      )}
    </Deed>
  );
}
