import { Typography } from '@mantine/core'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { jsonObject, text } from '../model/saved-json.ts'
import { definePanel, type PanelProps } from './panel.ts'

/** Words, tables and links written by people; HTML in them is shown as text. */
export const markdown = definePanel('markdown', MarkdownPanel)

function MarkdownPanel({ panel }: PanelProps) {
  const saved = jsonObject(panel.attributes['savedVis'])
  const state = Object.keys(saved).length > 0 ? saved : jsonObject(panel.attributes['visState'])
  const params = jsonObject(state['params'])
  const isNewTab = params['openLinksInNewTab'] === true
  return (
    <Typography fz="sm" p="xs" className="markdown" data-testid="panel-drawn">
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={{
          a: ({ href, children }) => (
            <a href={href} {...(isNewTab ? { target: '_blank', rel: 'noreferrer' } : {})}>
              {children}
            </a>
          ),
        }}
      >
        {text(params['markdown']) ?? ''}
      </Markdown>
    </Typography>
  )
}
