/** The variables of canned replies, by their names. */
export const VARIABLES = ['visitor.name', 'visitor.email', 'agent.name', 'group.name', 'organization.name'] as const;
export type Variable = (typeof VARIABLES)[number];

const PLACE = /\{\{([^{}]*)\}\}/g;

/** A variable's name, and the text that's used when its value isn't known. */
function partsOf(inside: string): { name: string; otherwise: string } {
  const bar = inside.indexOf('|');
  if (bar === -1) return { name: inside.trim(), otherwise: '' };
  return { name: inside.slice(0, bar).trim(), otherwise: inside.slice(bar + 1).trim() };
}

const isVariable = (name: string): name is Variable => (VARIABLES as readonly string[]).includes(name);

/** Replaces the variables of a canned reply: `{{visitor.name|there}}`. What isn't a variable stays as it is. */
export function withValues(content: string, values: Readonly<Record<Variable, string | null | undefined>>): string {
  return content.replace(PLACE, (place, inside: string) => {
    const { name, otherwise } = partsOf(inside);
    if (!isVariable(name)) return place;
    // A line break would let a visitor's name look like the agent's own paragraph.
    return values[name]?.trim().split(/\s+/).join(' ') || otherwise;
  });
}

/** What is written like a variable, but isn't one. */
export function unknownVariables(content: string): string[] {
  const places = [...content.matchAll(PLACE)].filter(([, inside]) => !isVariable(partsOf(inside!).name));
  return [...new Set(places.map(([place]) => place))];
}
