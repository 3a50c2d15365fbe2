import { loadAdminStrings } from '../locales/admin-strings.js';
import { loadDialogStrings } from '../locales/dialog-strings.js';
import { Overview } from './overview.js';
import '../styles/admin.css';
import '../styles/overview.css';

/** Loads what the overview needs beside its code. */
export async function start(): Promise<typeof Overview> {
  await Promise.all([loadAdminStrings(), loadDialogStrings()]);
  return Overview;
}
