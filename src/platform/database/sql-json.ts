// JSON made in SQL, without spaces, from columns. Names and expressions are ours, never input.

/** A time as JSON, as JavaScript writes it; `null` when it is null. */
export const jsonTime = (time: string) =>
  `COALESCE('"' || to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`;

/** Text as JSON; `null` when it is null. */
export const jsonText = (text: string) => `COALESCE(to_json(${text})::text, 'null')`;

/**
 * JSON of members, each a name and the expression of its JSON. Names and expressions are ours, never input.
 * @param more an expression of what follows the last member: text that begins with a comma, or nothing
 */
export const jsonObject = (members: Record<string, string>, more = `''`) =>
  `'{${Object.entries(members)
    .map(([name, json]) => `"${name}":' || ${json} || '`)
    .join(',')}' || ${more} || '}'`;

/** An id, or another word that needs no escaping, as JSON; `null` when it is null. */
export const jsonId = (id: string) => `COALESCE('"' || ${id} || '"', 'null')`;
