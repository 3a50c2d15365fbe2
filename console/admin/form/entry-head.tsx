import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { Icon } from '../../ui/parts/icon.js';

interface EntryHeadProps {
  /** Says which entry it is. */
  name: string;
  /** From 0. */
  place: number;
  count: number;
  isRemovable: boolean;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

/** The head of an entry whose place in a list can be changed. Buttons at the ends stay, so that they keep the focus. */
export function EntryHead({ name: step, place, count, isRemovable, move, remove }: EntryHeadProps) {
  const text = adminStrings.value.script;
  const action = (name: string) => fill(name, { step });
  return (
    <div class="script-head">
      <b>
        <bdi>{step}</bdi>
      </b>
      <button
        type="button"
        class="button quiet round script-up"
        aria-label={action(text.moveUp)}
        aria-disabled={place === 0}
        onClick={() => place > 0 && move(-1)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        class="button quiet round script-down"
        aria-label={action(text.moveDown)}
        aria-disabled={place === count - 1}
        onClick={() => place < count - 1 && move(1)}
      >
        <Icon name="down" />
      </button>
      {isRemovable && (
        <button
          type="button"
          class="button quiet round script-remove"
          aria-label={action(text.removeStep)}
          onClick={remove}
        >
          <Icon name="trash" />
        </button>
      )}
    </div>
  );
}
