import { OwnRepliesPage } from '../admin/replies.js';
import { loadAdminStrings } from '../locales/admin-strings.js';
import '../styles/admin.css';

/** Loads what the page needs beside its code. */
export async function start(): Promise<typeof OwnRepliesPage> {
  await loadAdminStrings();
  return OwnRepliesPage;
}
