const HUES = 6;

/** Initials on a color that is derived from the id. */
export function Avatar({ id, name, presence }: { id: string; name: string; presence?: string }) {
  return (
    <span class={`avatar hue-${hueOf(id)}`} aria-hidden="true">
      {initials(name)}
      {presence && <i class={`dot ${presence.toLowerCase()}`} />}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(' ').filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}

function hueOf(id: string): number {
  let sum = 0;
  for (const character of id.slice(-8)) sum += character.codePointAt(0)!;
  return sum % HUES;
}
