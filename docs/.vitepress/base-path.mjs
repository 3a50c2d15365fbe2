/**
 * The path of PUBLIC_URL, which is known when the service starts: a build has this in its place, and the service replaces it
 * (src/api/public/docs/docs-files.ts). It's empty while you write (`npm run docs`).
 */
export const BASE_PATH = process.argv.includes('dev') ? '' : '/__parley_base_path__';
