import { basePath } from '../url-state/app-path.ts'
import { looksLikeKibana } from './looks-like-kibana.ts'

/** Puts our own address in the place of Kibana's, if the page was opened by one: a bookmark, a mail, a link of an imported dashboard. */
export async function openKibanaAddress(): Promise<void> {
  const { pathname, hash } = window.location
  const path = pathname.slice(basePath().length)
  if (!looksLikeKibana(path, hash)) return
  const { ownAddress } = await import('./kibana-address.ts')
  const own = ownAddress(path, hash)
  if (own !== undefined) window.history.replaceState(null, '', `${basePath()}${own}`)
}
