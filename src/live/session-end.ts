/** Why the session of an agent ended (CONTRACT section 7). */
export type SessionEnd = 'SIGNED_OUT' | 'EXPIRED' | 'PASSWORD_CHANGED' | 'DISABLED' | 'DELETED';
