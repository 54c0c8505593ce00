import { text } from '../../../../kibana/saved-json.ts'
import { MarkdownText } from '../../draw/markdown.tsx'
import type { Table } from '../../model/table.ts'
import type { TsvbModel } from '../../model/tsvb/series.ts'
import { filledTemplate, templateValues } from '../../model/tsvb/template.ts'

/** Words with numbers in them: `{{ label.last.formatted }}`. */
export function drawMarkdown(model: TsvbModel, tables: readonly Table[]) {
  const words = filledTemplate(text(model.params['markdown']) ?? '', templateValues(model, tables))
  return <MarkdownText words={words} newTab={model.params['markdown_openLinksInNewTab'] === 1} />
}
