import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Card, cardsOf } from '../../../headless/cards.js';
import type { Option } from '../../../headless/options.js';
import type { ButtonsProps } from '../choices/buttons.js';

interface CardsProps extends ButtonsProps {
  Choices: ComponentType<ButtonsProps & { options: Option[] }>;
}

/** The cards of a message, side by side. They scroll by finger, by key, and by two buttons. */
export function Cards({ Choices, ...props }: CardsProps) {
  const cards = cardsOf(props.message);
  const list = useRef<HTMLUListElement>(null);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const { current: box } = list;
    if (box) setLong(box.scrollWidth > box.clientWidth + 1);
  }, [cards.length]);
  if (cards.length === 0) return null;
  const move = (way: number) => {
    const box = list.current!;
    const isRtl = getComputedStyle(box).direction === 'rtl';
    const width = (box.firstElementChild as HTMLElement).offsetWidth;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    box.scrollBy({ left: way * (isRtl ? -width : width), behavior: isCalm ? 'auto' : 'smooth' });
  };
  return (
    <div class="carousel">
      <ul class={`cards ${cards.length > 1 ? 'several' : ''}`} ref={list}>
        {cards.map((card) => (
          <li class="card">
            <Face {...card} />
            <Choices {...props} options={card.options} />
          </li>
        ))}
      </ul>
      {/* The keyboard and screen readers reach each card without them. */}
      {isLong && (
        <div class="turn" aria-hidden="true">
          <Turn path="M15 6l-6 6 6 6" onClick={() => move(-1)} />
          <Turn path="M9 6l6 6-6 6" onClick={() => move(1)} />
        </div>
      )}
    </div>
  );
}

function Face({ title, text, image, href }: Card) {
  const [isBroken, setBroken] = useState(false);
  return (
    <>
      {image && !isBroken && (
        <img
          src={image.src}
          alt={image.alt}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
      <strong dir="auto">
        {href ? (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {title}
          </a>
        ) : (
          title
        )}
      </strong>
      {text && <p dir="auto">{text}</p>}
    </>
  );
}

function Turn({ path, onClick }: { path: string; onClick: () => void }) {
  return (
    <button tabIndex={-1} onClick={onClick}>
      <svg viewBox="0 0 24 24" class="icon">
        <path d={path} />
      </svg>
    </button>
  );
}
