import { loadAdminStrings } from '../locales/admin-strings.js';
import { Team } from './team.js';
import '../styles/admin.css';
import '../styles/team.css';

/** Loads what the board needs beside its code. */
export async function start(): Promise<typeof Team> {
  await loadAdminStrings();
  return Team;
}
