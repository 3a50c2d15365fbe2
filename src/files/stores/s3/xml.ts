/** The text of the first element with this name, without entities; undefined if there's none. Only for answers of a store. */
export function textIn(xml: string, name: string): string | undefined {
  return [...textsIn(xml, name)][0];
}

/** The texts of all elements with this name. They must have no attributes and no elements of the same name inside. */
export function* textsIn(xml: string, name: string): Generator<string> {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(begin); at >= 0;) {
    const from = at + begin.length;
    const to = xml.indexOf(end, from);
    if (to < 0) return;
    yield decoded(xml.slice(from, to));
    at = xml.indexOf(begin, to + end.length);
  }
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function decoded(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
