import { FileQuestion } from 'lucide-react'
import { EmptyState } from '../../../shell/states.tsx'
import { messages } from '../messages.ts'
import { text } from '../model/saved-json.ts'
import { definePanel, type PanelProps } from './panel.ts'

/** A panel whose object is not stored. */
export const missing = definePanel('missing', MissingPanel)

function MissingPanel({ panel }: PanelProps) {
  const { type, id } = panel.attributes
  const title = messages.missing(text(type) ?? 'object', text(id) ?? '')
  return <EmptyState title={title} icon={<FileQuestion size={28} strokeWidth={1.5} />} />
}
