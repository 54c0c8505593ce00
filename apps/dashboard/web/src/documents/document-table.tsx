import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Hit } from '../api/search.ts'
import type { FieldNames } from '../kibana/field-names.ts'
import type { FieldFormats, ValueFormat } from '../kibana/value-format.ts'
import { formatInstant } from '../time/time-range.ts'
import type { FieldFilter } from '../url-state/field-filters.ts'
import { DocumentDetail } from './document-detail.tsx'
import { DocumentHead, type HeadActions } from './document-head.tsx'
import { FieldText, shownValue } from './field-text.tsx'
import { fieldsOfHit } from './fields-of-hit.ts'
import { messages } from './messages.ts'
import type { Neighbourhood } from './surrounding.tsx'
import { useRowKeys } from './use-row-keys.ts'
import './documents.css'

interface DocumentTableProps extends HeadActions {
  readonly hits: readonly Hit[]
  readonly timeField: string | undefined
  readonly columns: readonly string[]
  readonly types: ReadonlyMap<string, string>
  /** How the index pattern shows its fields. */
  readonly formats?: FieldFormats | undefined
  /** What it calls them. */
  readonly names?: FieldNames | undefined
  /** The names of indices by which the documents were found. */
  readonly pattern?: string | undefined
  readonly onFilter: (filter: FieldFilter) => void
  /** Widths of columns in pixels; the others share what is left. */
  readonly widths?: Readonly<Record<string, number>> | undefined
  readonly neighbourhood?: Neighbourhood | undefined
  /** Called when the last rows come into sight. */
  readonly onEnd?: (() => void) | undefined
}

const rowHeightPx = 30
const headHeightPx = 31
const overscanRows = 12

/** The documents, newest first; only the rows in sight exist in the page. */
export const DocumentTable = memo(function DocumentTable(props: DocumentTableProps) {
  const { hits, timeField, columns, widths, onEnd } = props
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const keys = useRowKeys(scroller, rowHeightPx, (row) => virtual.scrollToIndex(row))
  const virtual = useVirtualizer({
    count: hits.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => keyOf(hits[index]),
    overscan: overscanRows,
    rangeExtractor: keys.rangeExtractor,
    // The head pushes all rows down by its height, of which the virtual rows know nothing.
    scrollPaddingEnd: headHeightPx,
  })
  const toggle = (key: string): void => {
    const next = new Set(opened)
    if (!next.delete(key)) next.add(key)
    setOpened(next)
  }
  const template = gridTemplate(timeField, columns, widths)
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= hits.length - overscanRows) onEnd?.()
  }, [last, hits.length, onEnd])
  return (
    <div className="documents" ref={scroller} data-rows={hits.length} {...keys.listeners}>
      <table
        aria-label="Documents"
        aria-rowcount={hits.length + 1}
        style={{ height: virtual.getTotalSize() + headHeightPx }}
      >
        <DocumentHead {...props} template={template} />
        {virtual.getVirtualItems().map((item) => {
          const hit = hits[item.index]
          if (!hit) return null
          const key = String(item.key)
          return (
            <tbody
              key={key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="documents-item"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Row
                {...props}
                hit={hit}
                template={template}
                row={item.index}
                opened={opened.has(key)}
                onOpen={() => toggle(key)}
              />
            </tbody>
          )
        })}
      </table>
    </div>
  )
})

interface RowProps extends DocumentTableProps {
  readonly hit: Hit
  readonly template: string
  readonly row: number
  readonly opened: boolean
  readonly onOpen: () => void
}

function Row({ hit, template, row, opened, onOpen, timeField, columns, types, formats, names, ...actions }: RowProps) {
  const fields = useMemo(() => fieldsOfHit(hit), [hit])
  const label = opened ? messages.collapse : messages.expand
  return (
    <>
      <tr className="documents-row" aria-rowindex={row + 2} style={{ gridTemplateColumns: template }}>
        <td>
          <button
            type="button"
            className="plain-button documents-open"
            aria-label={label}
            aria-expanded={opened}
            onClick={onOpen}
          >
            {opened ? <ChevronDown size={15} /> : <ChevronRight size={15} />}
          </button>
        </td>
        {timeField && <td className="documents-time">{timeOf(fields.get(timeField), formats?.[timeField])}</td>}
        {columns.length === 0 && (
          <Summary hit={hit} fields={fields} timeField={timeField} types={types} formats={formats} called={names} />
        )}
        {columns.map((column) => (
          <td
            key={column}
            className="truncate"
            title={shownValue(fields.get(column), types.get(column), formats?.[column])}
          >
            <FieldText
              hit={hit}
              name={column}
              value={fields.get(column)}
              type={types.get(column)}
              format={formats?.[column]}
            />
          </td>
        ))}
      </tr>
      {opened && (
        <tr className="documents-detail-row">
          <td>
            <DocumentDetail
              hit={hit}
              fields={fields}
              columns={columns}
              types={types}
              formats={formats}
              names={names}
              {...actions}
            />
          </td>
        </tr>
      )}
    </>
  )
}

// What people look for first; the other fields follow in their own order.
const summaryFirst = ['message', 'host.name', 'event.dataset', 'event.action', 'log.level', 'user.name', 'source.ip']
const summaryMax = 12
const summaryLengthMax = 400

function Summary({
  hit,
  fields,
  timeField,
  types,
  formats,
  called,
}: {
  hit: Hit
  fields: ReadonlyMap<string, unknown>
  timeField: string | undefined
  types: ReadonlyMap<string, string>
  formats: FieldFormats | undefined
  called: FieldNames | undefined
}) {
  const names = [
    ...summaryFirst.filter((name) => fields.has(name)),
    ...[...fields.keys()].filter((name) => !summaryFirst.includes(name) && name !== timeField),
  ]
  return (
    <td className="documents-summary">
      {names.slice(0, summaryMax).map((name) => (
        <span key={name}>
          <span className="documents-key">{called?.[name] ?? name}</span>{' '}
          <FieldText
            hit={hit}
            name={name}
            value={fields.get(name)}
            type={types.get(name)}
            format={formats?.[name]}
            lengthMax={summaryLengthMax}
          />{' '}
        </span>
      ))}
    </td>
  )
}

function gridTemplate(
  timeField: string | undefined,
  columns: readonly string[],
  widths: Readonly<Record<string, number>> = {},
): string {
  const widthOf = (column: string): string =>
    widths[column] === undefined ? columnWidth(column) : `${widths[column]}px`
  const rest = columns.length === 0 ? 'minmax(0, 1fr)' : columns.map(widthOf).join(' ')
  return `28px ${timeField ? '186px' : ''} ${rest}`
}

function columnWidth(column: string): string {
  return column === 'message' ? 'minmax(240px, 3fr)' : 'minmax(120px, 1fr)'
}

function keyOf(hit: Hit | undefined): string {
  return hit ? `${hit._index}/${hit._id}` : ''
}

function timeOf(value: unknown, format: ValueFormat | undefined): string {
  if (format && value !== undefined) return shownValue(value, 'date', format)
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' || typeof first === 'number' ? formatInstant(new Date(first).getTime()) : '-'
}
