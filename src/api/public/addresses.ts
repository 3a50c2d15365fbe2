/** Puts the path of PUBLIC_URL before the addresses in a page of our own. They all begin with a slash. */
export function withBasePath(page: string, basePath: string): string {
  return page.replaceAll('="/', `="${basePath}/`);
}
