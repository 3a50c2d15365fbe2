/** Replaces each `{name}` in the template by its value. Unknown names stay. Texts of another release may lack the template. */
export function fill(template: string | undefined, values: Record<string, string | number>): string {
  return (template ?? '').replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

/**
 * The form of a text for a number: `wait_one` for the language's category `one`, or `wait` if there's no such form.
 * @param locale a tag that Intl knows
 */
export function pluralOf(texts: object, key: string, locale: string, count: number): string {
  const forms = texts as Record<string, string>;
  return forms[`${key}_${new Intl.PluralRules(locale).select(count)}`] ?? forms[key]!;
}
