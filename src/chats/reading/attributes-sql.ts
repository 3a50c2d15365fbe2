/** A value that a chat or its visitor must have. */
export interface WantedValue {
  key: string;
  /** The hash of the value; empty: any value. */
  hash: Buffer;
  /** Whether only a signed identity's value counts. */
  isVerified: boolean;
}

/** Which values of attributes a chat or its visitor must have. */
export interface AttributeFilter {
  /** All of them, the rarest first. */
  values: readonly WantedValue[];
  /** Whether the first one has so few chats that they're read before anything else. */
  isRare: boolean;
}

type Param = (value: unknown) => string;

/** Columns of a chat. */
interface ChatColumns {
  id: string;
  visitorId: string;
}

/** The columns of a chat whose table has the alias. */
export const chatColumns = (alias: string): ChatColumns => ({ id: `${alias}.id`, visitorId: `${alias}.visitor_id` });

/** SQL: the visitor of a chat, if only its id is at hand. */
export const withVisitor = (id: string): ChatColumns => ({
  id,
  visitorId: `(SELECT o.visitor_id FROM chats o WHERE o.organization_id = $1 AND o.id = ${id} LIMIT 1)`,
});

const rowsOf = ({ key, hash, isVerified }: WantedValue, param: Param) => `
  attribute_values a WHERE a.organization_id = $1 AND a.key = ${param(key)} AND a.value_hash = ${param(hash)}
    AND (a.is_verified OR NOT ${param(isVerified)}::boolean)`;

// LATERAL and OFFSET make the planner look up the chats of each visitor.
const isOneOf = (id: string, rows: string) => `
  ${id} = ANY (ARRAY(
    SELECT a.subject_id FROM ${rows}
    UNION ALL
    SELECT o.id FROM (SELECT a.subject_id FROM ${rows}) s CROSS JOIN LATERAL (
      SELECT c.id FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = s.subject_id OFFSET 0
    ) o))`;

const hasRow = ({ id, visitorId }: ChatColumns, rows: string) =>
  `(SELECT true FROM ${rows} AND a.subject_id IN (${id}, ${visitorId}) LIMIT 1) IS TRUE`;

/**
 * SQL: whether a chat, or its visitor, has all values of a filter. Chats of a frequent value are looked up one by one, in the order of
 * the list.
 * @param param the parameter with a value
 */
export function sqlHasAttributes({ values, isRare }: AttributeFilter, chat: ChatColumns, param: Param): string {
  return values
    .map((value, index) => {
      const rows = rowsOf(value, param);
      return index === 0 && isRare ? isOneOf(chat.id, rows) : hasRow(chat, rows);
    })
    .join(' AND ');
}

/** The part of a statement's name that says which text `sqlHasAttributes` gives it. */
export const shapeOfAttributes = (filter: AttributeFilter | undefined): string =>
  filter === undefined ? '' : ` attributes ${filter.values.length} ${filter.isRare}`;
