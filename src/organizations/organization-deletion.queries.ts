/** Runs statements in a transaction. */
interface Statements {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** SQL: whether the organization of a row isn't deleted. Reads only the index of deleted ones. @param row its alias */
export const sqlIsOfExisting = (row: string) => `
  NOT EXISTS (SELECT FROM organizations gone WHERE gone.id = ${row}.organization_id AND gone.deleted_at IS NOT NULL)`;

const RESTART = [
  'UPDATE subscriptions SET awake_since = statement_timestamp() WHERE organization_id = $1 AND NOT is_resting',
  `UPDATE agents SET last_online_at = statement_timestamp()
  WHERE organization_id = $1 AND open_chats > 0 AND last_online_at IS NOT NULL`,
];

/** Lets bots and agents of a restored organization reconnect before they count as absent. */
export async function restartAbsences(tx: Statements, organizationId: string): Promise<void> {
  for (const statement of RESTART) await tx.query(statement, [organizationId]);
}
