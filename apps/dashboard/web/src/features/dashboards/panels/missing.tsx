import { FileQuestion } from 'lucide-react'
import { text } from '../../../kibana/saved-json.ts'
import { EmptyState } from '../../../shell/states.tsx'
import { messages } from '../messages.ts'
import { definePanel, type PanelProps } from '../model/panel.ts'

/** A panel whose object is not stored. */
export const missing = definePanel('missing', MissingPanel)

function MissingPanel({ panel }: PanelProps) {
  const { type, id } = panel.attributes
  const title = messages.missing(text(type) ?? 'object', text(id) ?? '')
  return <EmptyState title={title} icon={<FileQuestion size={28} strokeWidth={1.5} />} />
}
