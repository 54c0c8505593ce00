import { text } from '../../../kibana/saved-json.ts'
import { MarkdownText } from '../draw/markdown.tsx'
import { definePanel, type PanelProps } from '../model/panel.ts'
import { visParams } from '../model/vis-params.ts'

/** Words, tables and links written by people; HTML in them is shown as text. */
export const markdown = definePanel('markdown', MarkdownPanel)

function MarkdownPanel({ panel }: PanelProps) {
  const params = visParams(panel)
  return (
    <div data-testid="panel-drawn">
      <MarkdownText words={text(params['markdown']) ?? ''} newTab={params['openLinksInNewTab'] === true} />
    </div>
  )
}
