import { loadAdminStrings } from '../locales/admin-strings.js';
import { Mentions } from './mentions.js';
import '../styles/admin.css';

/** Loads what the page needs beside its code. */
export async function start(): Promise<typeof Mentions> {
  await loadAdminStrings();
  return Mentions;
}
