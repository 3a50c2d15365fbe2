// Module hooks of Node: `./x.js` is `./x.ts` if that exists, and `@jest/globals` is `globals.mjs`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './typescript.mjs';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && !context.parentURL.includes('/node_modules/')) {
    const { href } = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(fileURLToPath(href))) return { url: href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)).code, shortCircuit: true };
}
