import { Typography } from '@mantine/core'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

/** Markdown with tables; HTML in it is shown as text. */
export function MarkdownText({ words, newTab }: { words: string; newTab: boolean }) {
  return (
    <Typography fz="sm" p="xs" className="markdown">
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={{
          a: ({ href, children }) => (
            <a href={href} {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})}>
              {children}
            </a>
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
