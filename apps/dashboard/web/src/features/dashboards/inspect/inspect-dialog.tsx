import { Code, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../../format/format.ts'
import { Dialog } from '../../../shell/dialog.tsx'
import type { PanelAnswer } from '../answers/panel-answer.ts'
import { DataTable } from '../draw/data-table.tsx'
import { isEsql } from '../model/table.ts'
import { messages } from './messages.ts'

const rowsPerPage = 100

/** What a panel shows as a table, with the request that was sent and what search answered. */
export function InspectDialog({
  title,
  answers,
  onClose,
}: {
  title: string
  answers: readonly PanelAnswer[]
  onClose: () => void
}) {
  const [at, setAt] = useState(0)
  const shown = answers[at]
  return (
    <Dialog onClose={onClose} title={title} size="80rem">
      {answers.length > 1 && (
        <SegmentedControl
          mb="xs"
          size="xs"
          data={answers.map((_, index) => ({ value: String(index), label: messages.layer(index + 1) }))}
          value={String(at)}
          onChange={(next) => setAt(Number(next))}
        />
      )}
      {shown && <Inspected key={at} shown={shown} />}
    </Dialog>
  )
}

function Inspected({ shown }: { shown: PanelAnswer }) {
  const { answer, table, body, request } = shown
  const esql = request && isEsql(request) ? request.esql : undefined
  return (
    <Stack gap="xs">
      <Text size="xs" className="muted">
        {factsOf(shown)}
      </Text>
      <Tabs defaultValue="data" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="data">{messages.data}</Tabs.Tab>
          {esql !== undefined && <Tabs.Tab value="query">{messages.query}</Tabs.Tab>}
          <Tabs.Tab value="request">{messages.request}</Tabs.Tab>
          <Tabs.Tab value="response">{messages.response}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="data" pt="xs" data-testid="inspect-data">
          <DataTable table={table} pageSize={rowsPerPage} />
        </Tabs.Panel>
        {esql !== undefined && (
          <Tabs.Panel value="query" pt="xs">
            <CodeText text={esql} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="request" pt="xs">
          <Json value={body} head={headOf(shown)} />
        </Tabs.Panel>
        <Tabs.Panel value="response" pt="xs">
          <Json value={answer} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

/** The line before the body; several searches are the lines of one request. */
function headOf({ answer, body, index }: PanelAnswer): string {
  if ('columns' in answer) return 'POST /_query'
  return Array.isArray(body) ? 'POST /_msearch' : `POST /${index}/_search`
}

function factsOf({ answer, index }: PanelAnswer): string {
  const took = formatNumber(answer.took ?? 0)
  if ('columns' in answer) return messages.factsOfRows(index, took, formatNumber(answer.values.length))
  return messages.facts(index, took, formatNumber(answer.hits.total?.value ?? answer.hits.hits.length))
}

function Json({ value, head }: { value: unknown; head?: string }) {
  return <CodeText text={`${head === undefined ? '' : `${head}\n`}${JSON.stringify(value, null, 2)}`} />
}

function CodeText({ text }: { text: string }) {
  return (
    <Group gap={4} align="stretch">
      <Code block fz="xs" w="100%" mah="60vh" style={{ overflow: 'auto' }}>
        {text}
      </Code>
    </Group>
  )
}
