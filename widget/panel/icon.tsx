const PATHS = {
  chat: 'M7.6 19.7a9 9 0 1 0-3.5-3.4L2.6 21.4Z',
  list: 'M4 6h16M4 12h16M4 18h10',
  close: 'm6 6 12 12M18 6 6 18',
  send: 'M12 19V5.5M5.5 11.5 12 5l6.5 6.5',
  down: 'M12 5v14M6 13l6 6 6-6',
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
