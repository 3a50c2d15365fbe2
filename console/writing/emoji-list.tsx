import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { locale } from '../locales/strings.js';
import type { Emoji } from './emoji.js';
import { replaceIn } from './replace.js';
import { fileWords } from '../files/words.js';

/** A colon at the beginning of a word, and two letters or more. `:+1:` is one, too. */
const TYPED = /(?:^|[\s(])(:([\p{L}\p{N}+_-]{2,30}))$/u;

/** What is typed before the caret. */
interface Typed {
  /** The field's whole text: what belongs to another one is outdated. */
  text: string;
  caret: number;
  name: string;
}

type Field = RefObject<HTMLTextAreaElement | null>;

/** The emoji whose names begin with what is typed after a colon. */
export function EmojiList({ field, draft }: { field: Field; draft: string }) {
  const { found, chosen, choose, take } = useEmoji(field, draft);
  const list = useRef<HTMLUListElement>(null);
  const label = fileWords.value.writing.emoji;
  useLayoutEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  useListed(field, found.length > 0 ? `emoji-${chosen}` : null);
  if (found.length === 0) return null;
  return (
    <div class="suggestions emoji-list" tabIndex={-1}>
      <ul id="emoji" ref={list} role="listbox" aria-label={label}>
        {found.map(({ emoji, names }, index) => (
          <li
            key={emoji}
            class="suggestion one-line"
            id={`emoji-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => choose(index)}
            onMouseDown={(event) => {
              event.preventDefault();
              take(index);
            }}
          >
            <span class="emoji">{emoji}</span> {names[locale.value.startsWith('de') ? 1 : 0]}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Names the list and its chosen item at the field, for screen readers. */
function useListed(field: Field, chosen: string | null): void {
  useLayoutEffect(() => {
    const { current: element } = field;
    if (!element || chosen === null) return;
    const names = ['aria-controls', 'aria-activedescendant'] as const;
    element.setAttribute(names[0], 'emoji');
    element.setAttribute(names[1], chosen);
    return () => names.forEach((name) => element.removeAttribute(name));
  }, [chosen]);
}

function useEmoji(field: Field, draft: string) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [chosen, choose] = useState(0);
  const find = useFinder(typed !== null);
  // Without an input, the text is another one's: a chat was opened, or a reply was inserted.
  const isCurrent = typed !== null && typed.text === draft;
  const found = isCurrent && find ? find(typed.name) : [];
  const take = (index: number) => {
    const { current: element } = field;
    const choice = found[index];
    setTyped(null);
    if (!element || !typed || !choice || element.value !== typed.text) return;
    replaceIn(element, { from: typed.caret - typed.name.length - 1, to: typed.caret, words: choice.emoji });
    // The list is closed: what follows is ordinary text.
    setTyped(null);
  };
  const onKey = (event: KeyboardEvent) => {
    if (found.length === 0 || event.isComposing || event.keyCode === 229) return;
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'ArrowDown') choose((chosen + 1) % found.length);
    else if (key === 'ArrowUp') choose((chosen - 1 + found.length) % found.length);
    else if (key === 'Escape') setTyped(null);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) {
      if (!event.repeat) take(chosen);
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  useTyped(field, onKey, (next) => {
    setTyped(next);
    choose(0);
  });
  return { found, chosen, choose, take };
}

/** Listens to the field: to its keys before its own listeners, and to what is typed at the caret. */
function useTyped(field: Field, onKey: (event: KeyboardEvent) => void, onTyped: (typed: Typed | null) => void): void {
  const latest = useRef({ onKey, onTyped });
  latest.current = { onKey, onTyped };
  useEffect(() => {
    const { current: element } = field;
    if (!element) return;
    const onKeyDown = (event: KeyboardEvent) => latest.current.onKey(event);
    const onInput = (event: Event) =>
      latest.current.onTyped((event as InputEvent).isComposing ? null : typedIn(element));
    const onBlur = () => latest.current.onTyped(null);
    element.addEventListener('keydown', onKeyDown, true);
    element.addEventListener('input', onInput);
    element.addEventListener('blur', onBlur);
    return () => {
      element.removeEventListener('keydown', onKeyDown, true);
      element.removeEventListener('input', onInput);
      element.removeEventListener('blur', onBlur);
    };
  }, []);
}

function typedIn({ value: text, selectionStart: caret, selectionEnd }: HTMLTextAreaElement): Typed | null {
  if (caret !== selectionEnd) return null;
  // No name is longer.
  const name = TYPED.exec(text.slice(Math.max(0, caret - 40), caret))?.[2];
  return name === undefined ? null : { text, caret, name };
}

type Finder = (typed: string) => Emoji[];

/** Loads the emoji when one is first typed. */
function useFinder(isWanted: boolean): Finder | null {
  const [find, setFinder] = useState<Finder | null>(null);
  useEffect(() => {
    if (!isWanted || find) return;
    import('./emoji.js').then(
      ({ findEmoji }) => setFinder(() => findEmoji),
      () => undefined,
    );
  }, [isWanted]);
  return find;
}
