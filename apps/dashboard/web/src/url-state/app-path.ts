// `~` makes wouter forget the bases of nested routes, and with them the prefix of the page, which is put back here.
const prefix = typeof document === 'undefined' ? '' : new URL('.', document.baseURI).pathname.replace(/\/$/, '')

/** The link target of a page of the product (`/app/discover?query=…`) from anywhere, under whatever prefix it is reached. */
export function appPath(path: string): string {
  return `~${prefix}${path}`
}

/** The prefix the product is reached under; empty at the root. */
export function basePath(): string {
  return prefix
}
