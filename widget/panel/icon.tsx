const PATHS = {
  chat: 'M12 3.5c-5 0-9 3.5-9 7.9 0 2.4 1.2 4.5 3.1 6-.1 1-.6 2-1.4 2.8-.2.2 0 .6.3.6 1.8 0 3.4-.7 4.6-1.7.8.2 1.6.2 2.4.2 5 0 9-3.5 9-7.9s-4-7.9-9-7.9Z',
  close: 'm6 6 12 12M18 6 6 18',
  send: 'M12 19V5.5M5.5 11.5 12 5l6.5 6.5',
  down: 'M12 5v14M6 13l6 6 6-6',
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  check: 'm5 13 4.5 4.5L19 7',
  out: 'M8 16 16.5 7.5M9 7h8v8',
  alert: 'M12 7v6M12 16.5v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
};

/** A drawing of 24 units that says nothing on its own. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      <path d={PATHS[name]} />
    </svg>
  );
}
