import { loadAdminStrings } from '../locales/admin-strings.js';
import { Reports } from './reports.js';
import '../styles/admin.css';
import '../styles/overview.css';

/** Loads what the reports need beside their code. */
export async function start(): Promise<typeof Reports> {
  await loadAdminStrings();
  return Reports;
}
