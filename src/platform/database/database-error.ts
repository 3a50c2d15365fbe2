/** The database can't be used. The message is the line to print. */
export class DatabaseError extends Error {}
