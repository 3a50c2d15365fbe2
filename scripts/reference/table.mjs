/** A table in Markdown. A cell may contain `|`. */
export function table(titles, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

export const code = (text) => `\`${text}\``;

/** A name that the address of the page may end with: `#name`. */
export const anchored = (id, name = id) => `<a id="${id}"></a>${code(name)}`;
