import { Button, Tooltip } from '@mantine/core'
import { Download } from 'lucide-react'
import type { EsqlAnswer } from '../../../api/esql.ts'
import type { Hit } from '../../../api/search.ts'
import { downloadFile, fileName } from '../../../export/download.ts'
import { documentsCsv } from '../documents-csv.ts'
import { messages } from '../messages.ts'

/** Downloads the rows that are shown, in their order: the columns that were chosen, else all of the answer. */
export function EsqlCsvButton({
  answer,
  hits,
  columns: chosen,
  name,
}: {
  answer: EsqlAnswer | undefined
  hits: readonly Hit[]
  columns: readonly string[]
  name: string
}) {
  const all = answer?.columns.map((column) => column.name) ?? []
  const wanted = chosen.filter((column) => all.includes(column))
  const save = (): void => {
    const text = documentsCsv(hits, { timeField: undefined, columns: wanted.length > 0 ? wanted : all })
    downloadFile(fileName(name, 'csv'), new Blob([text], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <Tooltip label={messages.esql.csvTitle}>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Download size={13} />}
        disabled={hits.length === 0}
        onClick={save}
      >
        {messages.csv}
      </Button>
    </Tooltip>
  )
}
