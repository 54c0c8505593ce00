/**
 * The id at the end of a path of the browser (`/app/dashboards/a%2Fb`), decoded once; what cannot be decoded is taken as it is. Ids may hold any
 * sign, also `%`: what a router decoded before says no longer which.
 */
export function pathId(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
