import { useRef } from 'preact/hooks';
import { strings } from '../../locales/strings.js';
import { Icon } from '../parts/icon.js';

/** Chooses files. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { attach } = strings.value;
  const input = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget: chosen }: { currentTarget: HTMLInputElement }) => {
    onFiles([...(chosen.files ?? [])]);
    chosen.value = '';
  };
  return (
    <>
      <button
        type="button"
        class="button quiet round attach"
        aria-label={attach}
        title={attach}
        onClick={() => input.current!.click()}
      >
        <Icon name="clip" />
      </button>
      <input ref={input} type="file" multiple hidden onChange={take} />
    </>
  );
}
