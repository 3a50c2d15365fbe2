import type { ComponentChildren } from 'preact';
import { strings } from '../../locales/strings.js';
import { hideOverlay } from '../screen.js';

interface DialogButtonsProps {
  isDisabled: boolean;
  /** False for a moment after what the dialog is about has changed. */
  isReady?: boolean;
  onCancel?: () => void;
  /** What the button that submits says. */
  children: ComponentChildren;
}

/** The end of a dialog's form. */
export function DialogButtons({ isDisabled, isReady = true, onCancel = hideOverlay, children }: DialogButtonsProps) {
  return (
    <footer>
      <button type="button" class="button" onClick={onCancel}>
        {strings.value.cancel}
      </button>
      <button type="submit" class="button primary" disabled={isDisabled} aria-disabled={!isReady}>
        {children}
      </button>
    </footer>
  );
}
