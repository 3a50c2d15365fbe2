// Lists of open chats are ordered by the last message. An index on its time would be changed by every message, which costs more
// than storing the message (decision 1). So `activity_slot` holds the ten minutes of the last message: an index on it changes
// once in ten minutes of a chat, and a page sorts the chats of its slots.

/** SQL: the start of the ten minutes that contain a time. */
export const sqlActivitySlot = (time: string) => `date_bin('10 minutes', ${time}, TIMESTAMPTZ '2000-01-01 UTC')`;

/** SQL: the slot of a row of `chats`. Must match the expression of the indexes. Chats without messages count by their creation. */
export const SLOT_OF_CHAT = `COALESCE(activity_slot, ${sqlActivitySlot('created_at')})`;

/** SQL: the time within the slot. @param chat its alias with a dot */
export const sqlActiveAt = (chat = '') =>
  `CASE WHEN ${chat}activity_slot IS NULL THEN ${chat}created_at ELSE ${chat}last_message_at END`;
