import { Typography } from '@mantine/core'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { OwnLink } from '../../../documents/own-link.tsx'

/** Markdown with tables; HTML in it is shown as text. Links to pages of Kibana lead to the page that does the same here. */
export function MarkdownText({ words, newTab }: { words: string; newTab: boolean }) {
  return (
    <Typography fz="sm" p="xs" className="markdown">
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={{
          a: ({ href, children }) => (
            <OwnLink href={href} newTab={newTab}>
              {children}
            </OwnLink>
          ),
          // An address that may not be followed is empty by now.
          img: ({ src, alt }) => (src ? <img src={src} alt={alt ?? ''} /> : alt),
        }}
      >
        {words}
      </Markdown>
    </Typography>
  )
}
