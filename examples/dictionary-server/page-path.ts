/** Where a server puts a page that was archived under a URL: at its path and query, as a browser asks for it. */
export function pathOfUrl(url: string): string | undefined {
  try {
    const { pathname, search } = new URL(url);
    // two slashes at the start would name a host in a link
    return pathname.startsWith('/') && !pathname.startsWith('//') ? pathname + search : undefined;
  } catch {
    return undefined;
  }
}
