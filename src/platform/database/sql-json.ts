// Builds JSON in SQL, without spaces, from columns. Names and expressions come from our code, never from input.

/** A time as JSON, in the form of JavaScript's `toJSON`; `null` when it is null. */
export const jsonTime = (time: string) =>
  `COALESCE('"' || to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`;

/** Text as JSON; `null` when it is null. */
export const jsonText = (text: string) => `COALESCE(to_json(${text})::text, 'null')`;

/**
 * A JSON object of members, each a name and the SQL expression of its JSON. Both come from our code, never from input.
 * @param more an SQL expression appended after the last member: text that starts with a comma, or an empty text
 */
export const jsonObject = (members: Record<string, string>, more = `''`) =>
  `'{${Object.entries(members)
    .map(([name, json]) => `"${name}":' || ${json} || '`)
    .join(',')}' || ${more} || '}'`;

/** An id, or another text that needs no escaping, as JSON; `null` when it is null. */
export const jsonId = (id: string) => `COALESCE('"' || ${id} || '"', 'null')`;
