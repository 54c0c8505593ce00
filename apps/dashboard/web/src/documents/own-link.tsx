import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ownAddress } from '../kibana/kibana-address.ts'
import { useTimeSearch } from '../time/use-time-range.ts'
import { appPath } from '../url-state/app-path.ts'

/** A link that somebody wrote for Kibana: one to a page of it leads to the page that does the same here. */
export function OwnLink({
  href,
  newTab,
  children,
}: {
  href: string | undefined
  newTab: boolean
  children?: ReactNode
}) {
  const timeSearch = useTimeSearch()
  const own = href === undefined ? undefined : ownTarget(href, timeSearch)
  const target = newTab ? { target: '_blank', rel: 'noreferrer' } : {}
  return own === undefined ? (
    <a href={href} {...target}>
      {children}
    </a>
  ) : (
    <Link href={appPath(own)} {...target}>
      {children}
    </Link>
  )
}

/** The page here that a link written for Kibana means, with the range the page shows unless the link has its own. */
function ownTarget(href: string, timeSearch: string): string | undefined {
  const [, path = '', hash = ''] = /^(?:\.?\/)?([^#:?]*)(#\/.*)?$/.exec(href) ?? []
  if (path === '' && hash === '') return undefined
  const own = ownAddress(path === '' || path.startsWith('kibana') ? '/app/dashboards' : `/${path}`, hash)
  return own === undefined || own.includes('?') ? own : `${own}${timeSearch}`
}
