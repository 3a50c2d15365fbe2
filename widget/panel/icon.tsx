const PATHS = {
  chat: 'M7.6 19.7a9 9 0 1 0-3.5-3.4L2.6 21.4Z',
  list: 'M4 6h16M4 12h16M4 18h10',
  close: 'm6 6 12 12M18 6 6 18',
  send: 'M12 19V5.5M5.5 11.5 12 5l6.5 6.5',
  down: 'M12 5v14M6 13l6 6 6-6',
  clip: 'm20 11.5-8.1 8.1a5.3 5.3 0 0 1-7.5-7.5L12.6 4a3.5 3.5 0 0 1 5 5l-8 8a1.8 1.8 0 0 1-2.6-2.5l7.3-7.2',
  clock: 'M12 7v5l3 2M3 12a9 9 0 1 1 0 .1Z',
  alert: 'M12 7v6M12 16v.1M3 12a9 9 0 1 1 0 .1Z',
};

/** A decorative icon on a grid of 24 units. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      <path d={PATHS[name]} />
    </svg>
  );
}
