/** Whether the page's path begins with one of these, as it's in the address or as people read it. */
export function isOnOne(paths: readonly string[]): boolean {
  const { pathname } = location;
  return paths.some((path) => pathname.startsWith(path) || decoded(pathname).startsWith(path));
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
