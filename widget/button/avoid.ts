import type { Host } from '../types.js';

/** Pixels between the button and what it avoids. */
const GAP = 8;
/** Milliseconds between checks of the page. Scrolling and resizing are checked immediately. */
const LOOK_MS = 400;
/** Only this many elements are checked. */
const MAX_ELEMENTS = 50;

/** Moves the button above the visible elements of the page that match, while they are where it would be. */
export function avoid(host: Host, selector: string): void {
  const page = document.defaultView!;
  const frame = host.mount.parentElement!;
  const button = frame.querySelector('.launcher')!;
  let lift = 0;
  const look = () => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    // The panel covers it, or the page has removed it.
    if (document.hidden || left === right) return;
    const free = liftOver(document.querySelectorAll(selector), { left, right, top: top + lift, bottom: bottom + lift });
    if (free === lift) return;
    lift = free;
    frame.style.setProperty('--y', `calc(var(--parley-offset-y, 20px) + ${lift}px)`);
  };
  let isAsked = false;
  const lookSoon = () => {
    if (isAsked) return;
    isAsked = true;
    page.requestAnimationFrame(() => {
      isAsked = false;
      look();
    });
  };
  try {
    look();
  } catch {
    return console.warn(`Parley: data-avoid is not a CSS selector: ${selector}`);
  }
  page.addEventListener('scroll', lookSoon, { passive: true, capture: true });
  page.addEventListener('resize', lookSoon, { passive: true });
  setInterval(look, LOOK_MS);
}

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** How many pixels the button must rise so that nothing is in its way; 0 if that's above the window. */
function liftOver(elements: ArrayLike<Element>, place: Box): number {
  const boxes = [...[].slice.call(elements, 0, MAX_ELEMENTS)]
    .filter(
      (element: Element) => element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true,
    )
    .map((element: Element) => element.getBoundingClientRect())
    .filter(({ left, right, width, height }) => width && height && left < place.right && right > place.left)
    .sort((one, other) => other.bottom - one.bottom);
  let lift = 0;
  for (const { top, bottom } of boxes)
    if (top < place.bottom - lift + GAP && bottom > place.top - lift - GAP) lift = place.bottom - top + GAP;
  return place.top - lift < 0 ? 0 : Math.round(lift);
}
