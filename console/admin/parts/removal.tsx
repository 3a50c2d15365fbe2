import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { go, type Route } from '../../state/route.js';
import { Icon } from '../../ui/parts/icon.js';
import { useIsShown } from '../../ui/parts/use-is-shown.js';
import { remove } from '../api.js';
import { Confirm } from './confirm.js';
import { ActionRow } from './page-section.js';

/** A large group, or a person with many chats, takes the service minutes. */
const TIMEOUT_MS = 600_000;

interface RemovalProps {
  name: string;
  title: string;
  /** What else is removed. */
  hint: string;
  /** Its path in the admin API. */
  path: string;
  /** The list to return to. */
  list: Route;
  /** What the confirmation adds to it. */
  more?: ComponentChildren;
  /** The question and the notice. Default: with the name. */
  question?: string;
  told?: string;
  /** The name of the confirmation's button. Default: the title. */
  confirmation?: string;
  /** A word that must be typed to confirm. */
  typed?: string;
  onRemoved?: () => void;
}

/** Removes the resource of a detail page, after a confirmation. */
export function Removal({
  name,
  title,
  hint,
  more,
  path,
  list,
  question,
  told,
  confirmation,
  typed,
  onRemoved,
}: RemovalProps) {
  const text = adminStrings.value;
  const [asks, ask] = useState(false);
  const isShown = useIsShown();
  const removeIt = async () => {
    await remove(path, TIMEOUT_MS).catch((error: unknown) => {
      // An attempt whose answer was lost has removed it, or someone else has.
      if ((error as { code?: string }).code !== 'not_found') throw error;
    });
    notify(told ?? fill(text.removedNow, { name }));
    onRemoved?.();
    // The administrator may be somewhere else by now.
    if (isShown.current) go(list, true);
  };
  return (
    <ActionRow title={title} hint={hint}>
      <button type="button" class="button danger-line" onClick={() => ask(true)}>
        <Icon name="trash" />
        {title}
      </button>
      {asks && (
        <Confirm
          title={question ?? fill(text.removeTitle, { name })}
          hint={
            <>
              {hint} {more}
            </>
          }
          name={confirmation ?? title}
          isDanger
          typed={typed}
          run={removeIt}
          onClose={() => ask(false)}
        />
      )}
    </ActionRow>
  );
}
