import { Typography } from '@mantine/core'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Link } from 'wouter'
import { ownAddress } from '../../../kibana/kibana-address.ts'
import { useTimeSearch } from '../../../time/use-time-range.ts'
import { appPath } from '../../../url-state/app-path.ts'

/** Markdown with tables; HTML in it is shown as text. Links to pages of Kibana lead to the page that does the same here. */
export function MarkdownText({ words, newTab }: { words: string; newTab: boolean }) {
  const timeSearch = useTimeSearch()
  return (
    <Typography fz="sm" p="xs" className="markdown">
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={{
          a: ({ href, children }) => {
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
          },
          // An address that may not be followed is empty by now.
          img: ({ src, alt }) => (src ? <img src={src} alt={alt ?? ''} /> : alt),
        }}
      >
        {words}
      </Markdown>
    </Typography>
  )
}

/** The page here that a link written for Kibana means, with the range the page shows unless the link has its own. */
function ownTarget(href: string, timeSearch: string): string | undefined {
  const [, path = '', hash = ''] = /^(?:\.?\/)?([^#:?]*)(#\/.*)?$/.exec(href) ?? []
  if (path === '' && hash === '') return undefined
  const own = ownAddress(path === '' || path.startsWith('kibana') ? '/app/dashboards' : `/${path}`, hash)
  return own === undefined || own.includes('?') ? own : `${own}${timeSearch}`
}
