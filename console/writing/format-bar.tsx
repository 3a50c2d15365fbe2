import bold from 'icon:bold';
import code from 'icon:code';
import italic from 'icon:italic';
import list from 'icon:list';
import { h, type RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Format, formatted } from './formats.js';
import { Icon } from '../ui/parts/icon.js';
import { replaceIn } from './replace.js';
import { fileWords } from '../files/words.js';

/** Of these, only this file has icons. */
const ICONS = { bold, italic, code, list };
const FORMATS = ['bold', 'italic', 'code', 'list', 'link'] as const;
const KEYS: Partial<Record<string, Format>> = { b: 'bold', i: 'italic' };

type Field = RefObject<HTMLTextAreaElement | null>;

function apply({ current: field }: Field, format: Format): void {
  if (!field) return;
  const { value, selectionStart, selectionEnd } = field;
  replaceIn(field, formatted(format, value, selectionStart, selectionEnd));
}

/** Formats what is selected in the field, also by Ctrl+B and Ctrl+I. On narrow screens it's shown while something is selected. */
export function FormatBar({ field }: { field: Field }) {
  const text = fileWords.value.writing;
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const hasSelection = useShortcuts(field);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const isReversed = getComputedStyle(bar.current!).direction === 'rtl';
    const next = (at + (isReversed ? -step : step) + FORMATS.length) % FORMATS.length;
    setAt(next);
    (bar.current!.children[next] as HTMLElement).focus();
  };
  return (
    <div
      ref={bar}
      class={`format-bar ${hasSelection ? 'has-selection' : ''}`}
      role="toolbar"
      aria-label={text.format}
      onKeyDown={onKeyDown}
    >
      {FORMATS.map((format, index) => (
        <button
          key={format}
          type="button"
          class="button quiet round"
          tabIndex={index === at ? 0 : -1}
          aria-label={text[format]}
          title={text[format] + (format === 'bold' ? ' (Ctrl+B)' : format === 'italic' ? ' (Ctrl+I)' : '')}
          // The field keeps the focus and its selection.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setAt(index)}
          onClick={() => apply(field, format)}
        >
          {format === 'link' ? (
            <Icon name="link" />
          ) : (
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
              {ICONS[format].map(([element, attributes]) => h(element, attributes))}
            </svg>
          )}
        </button>
      ))}
    </div>
  );
}

/** The keys of the formats. Returns whether the field has a selection. */
function useShortcuts(field: Field): boolean {
  const [hasSelection, setSelection] = useState(false);
  useEffect(() => {
    const { current: element } = field;
    if (!element) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
      const format = (ctrlKey || metaKey) && !altKey && !shiftKey && !isComposing ? KEYS[key.toLowerCase()] : undefined;
      if (!format) return;
      event.preventDefault();
      if (!event.repeat) apply(field, format);
    };
    const onSelection = () => setSelection(element.selectionStart !== element.selectionEnd);
    element.addEventListener('keydown', onKeyDown);
    document.addEventListener('selectionchange', onSelection);
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('selectionchange', onSelection);
    };
  }, []);
  return hasSelection;
}
