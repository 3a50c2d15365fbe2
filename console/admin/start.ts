import { loadAdminStrings } from '../locales/admin-strings.js';
import '../styles/admin.css';
import { Admin } from './admin.js';

/** Loads what the administration needs beside its code. */
export async function start(): Promise<typeof Admin> {
  await loadAdminStrings();
  return Admin;
}
