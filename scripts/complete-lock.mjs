// Adds packages for other platforms to package-lock.json. npm omits them if its registry didn't have them when the lock was written,
// and `npm ci` then refuses the lock, even on platforms that don't need them. Run this after you change dependencies. It changes
// nothing if nothing is missing.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);
const CPUS = {
  x64: 'x64',
  arm64: 'arm64',
  ia32: 'ia32',
  arm: 'arm',
  ppc64: 'ppc64',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
};
const SYSTEMS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
};

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
for (const [parentPath, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    const platform = platformOf(name);
    if (isResolved(parentPath, path) || !platform) continue;
    lock.packages[path] = { version, ...platform, ...(parent.dev && { dev: true }), license: 'MIT', optional: true };
    console.log(`added ${name}@${version}`);
  }
}
const [root, ...rest] = Object.entries(lock.packages);
rest.sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries([root, ...rest]);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);

/** Whether the lock has the dependency where Node finds it: in the parent's node_modules, or in one above. */
function isResolved(parentPath, path) {
  for (let folder = parentPath; folder; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${folder}/${path}`]) return true;
  }
  return lock.packages[path] !== undefined;
}

function platformOf(name) {
  const parts = name.split(/[/-]/);
  const cpu = parts.map((part) => CPUS[part]).find(Boolean);
  const os = parts.map((part) => SYSTEMS[part]).find(Boolean);
  const libc = parts.some((part) => part.startsWith('musl')) ? ['musl'] : parts.includes('gnu') ? ['glibc'] : undefined;
  return cpu && os ? { cpu: [cpu], ...(libc && os === 'linux' && { libc }), os: [os] } : undefined;
}
