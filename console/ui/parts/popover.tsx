import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

const MARGIN_PX = 8;

interface PopoverProps {
  /** The label of the panel, and of the button unless its content names it. */
  label: string;
  isNamed?: boolean;
  buttonClass: string;
  button: ComponentChildren;
  /** `menu`: arrow keys move between its buttons, and a click closes it. */
  kind?: 'menu' | 'panel';
  children: () => ComponentChildren;
}

/** A button that opens a panel. Its content exists only while it's open. */
export function Popover({ label, isNamed = false, buttonClass, button, kind = 'panel', children }: PopoverProps) {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const onToggle = (event: { newState: string }) => {
    const opens = event.newState === 'open';
    setOpen(opens);
    // Its size is known once its content is rendered.
    if (opens) requestAnimationFrame(() => anchor.current && open(anchor.current, panel.current!));
  };
  // Stay within the page when either changes its size.
  useEffect(() => {
    if (!isOpen) return;
    const observer = new ResizeObserver(() => place(anchor.current!, panel.current!));
    for (const element of [panel.current!, document.documentElement]) observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);
  const onClick = (event: MouseEvent) => {
    if (kind === 'menu' && (event.target as Element).closest('button')) panel.current?.hidePopover();
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class={buttonClass}
        aria-label={isNamed ? undefined : label}
        title={isNamed ? undefined : label}
        popovertarget={id}
        aria-haspopup={kind === 'menu' ? 'menu' : 'dialog'}
        aria-expanded={isOpen}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        class={`popover ${kind}`}
        role={kind === 'menu' ? 'menu' : 'dialog'}
        aria-label={label}
        onToggle={onToggle}
        onClick={onClick}
        onKeyDown={kind === 'menu' ? moveFocus : undefined}
      >
        {isOpen && children()}
      </div>
    </>
  );
}

function open(anchor: HTMLElement, panel: HTMLElement): void {
  place(anchor, panel);
  panel.classList.add('placed');
  panel.querySelector<HTMLElement>('button, input, a')?.focus();
}

// Below the button if there is room, otherwise above it; within the page.
function place(anchor: HTMLElement, panel: HTMLElement): void {
  const from = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const isBelow = from.bottom + height + MARGIN_PX <= innerHeight || from.top < innerHeight / 2;
  const top = isBelow ? from.bottom + MARGIN_PX / 2 : from.top - height - MARGIN_PX / 2;
  const isEnd = from.left > innerWidth / 2 !== (document.dir === 'rtl' && from.left > innerWidth / 2);
  const left = isEnd ? from.right - width : from.left;
  panel.style.top = `${clamp(top, innerHeight - height)}px`;
  panel.style.left = `${clamp(left, innerWidth - width)}px`;
}

function clamp(value: number, most: number): number {
  return Math.max(MARGIN_PX, Math.min(value, most - MARGIN_PX));
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function moveFocus(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const index = items.indexOf(document.activeElement as HTMLElement);
  items[(index + step + items.length) % items.length]?.focus();
}
