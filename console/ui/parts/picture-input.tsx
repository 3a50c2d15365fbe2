import { useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import '../../styles/pictures.css';

interface PictureInputProps {
  label: string;
  hint?: string;
  /** Of the picture that's chosen. */
  address: string | null | undefined;
  isWide?: boolean;
  isBusy?: boolean;
  fault: string;
  words: { choosePicture: string; remove: string; removePicture: string };
  onChoose: (file: File) => void;
  onClear: () => void;
}

/** Shows a picture, and lets one choose another or remove it. */
export function PictureInput(props: PictureInputProps) {
  const { label, hint, address, isWide, isBusy, fault, words, onChoose, onClear } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="picture-choice" role="group" aria-label={label}>
      <span class={`picture-frame${isWide ? ' wide' : ''}`}>{address && <img src={address} alt="" />}</span>
      <div class="form">
        <span class="field-name">{label}</span>
        <div class="side-by-side">
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            hidden
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) onChoose(file);
              // The same file may be chosen again.
              currentTarget.value = '';
            }}
          />
          <button
            type="button"
            class="button"
            disabled={isBusy}
            aria-label={`${words.choosePicture}: ${label}`}
            onClick={() => input.current!.click()}
          >
            {words.choosePicture}
          </button>
          {address && (
            <button
              type="button"
              class="button"
              disabled={isBusy}
              aria-label={fill(words.removePicture, { name: label })}
              onClick={onClear}
            >
              {words.remove}
            </button>
          )}
        </div>
        {hint && <p class="hint small">{hint}</p>}
        <p class="fault small" role="alert">
          {fault}
        </p>
      </div>
    </div>
  );
}
