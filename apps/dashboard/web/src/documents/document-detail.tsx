import { ActionIcon, Box, Code, CopyButton, Group, Tabs, Tooltip } from '@mantine/core'
import { Check, Columns3, Copy, ZoomIn, ZoomOut } from 'lucide-react'
import type { Hit } from '../api/search.ts'
import { FieldIcon } from '../fields/field-icon.tsx'
import type { FieldNames } from '../kibana/field-names.ts'
import type { FieldFormats } from '../kibana/value-format.ts'
import type { FieldFilter } from '../url-state/field-filters.ts'
import { FieldText } from './field-text.tsx'
import { messages } from './messages.ts'
import { ScriptErrors } from './script-errors.tsx'
import { type Neighbourhood, Surrounding } from './surrounding.tsx'

interface DocumentDetailProps {
  readonly hit: Hit
  readonly fields: ReadonlyMap<string, unknown>
  readonly columns: readonly string[]
  readonly types: ReadonlyMap<string, string>
  readonly formats?: FieldFormats | undefined
  readonly names?: FieldNames | undefined
  /** The names of indices by which the document was found. */
  readonly pattern?: string | undefined
  readonly onToggleColumn?: ((name: string) => void) | undefined
  readonly onFilter: (filter: FieldFilter) => void
  /** Absent where documents have no time. */
  readonly neighbourhood?: Neighbourhood | undefined
}

/** One document in full: its fields as a table with filters, or as JSON. */
export function DocumentDetail(props: DocumentDetailProps) {
  const json = JSON.stringify(isDocument(props.hit) ? props.hit : props.hit._source, null, 2)
  return (
    <Box className="documents-detail">
      <Tabs defaultValue="table" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="table">{messages.table}</Tabs.Tab>
          <Tabs.Tab value="json">{messages.json}</Tabs.Tab>
          {props.neighbourhood && <Tabs.Tab value="around">{messages.surrounding}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="table" pt="xs">
          <FieldTable {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="xs" pos="relative">
          <CopyButton value={json}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? messages.copied : messages.copy}>
                <ActionIcon
                  variant="default"
                  pos="absolute"
                  right={12}
                  top={18}
                  aria-label={messages.copy}
                  onClick={copy}
                >
                  {copied ? <Check size={15} /> : <Copy size={15} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
          <Code block fz="xs" style={{ overflow: 'auto' }}>
            {json}
          </Code>
        </Tabs.Panel>
        {props.neighbourhood && (
          <Tabs.Panel value="around" pt="xs">
            <Surrounding hit={props.hit} columns={props.columns} {...props.neighbourhood} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Box>
  )
}

function FieldTable(props: DocumentDetailProps) {
  const { hit, fields, types, formats, names, columns, onToggleColumn, onFilter } = props
  const identity: [string, unknown][] = isDocument(hit)
    ? [
        ['_index', hit._index],
        ['_id', hit._id],
      ]
    : []
  const rows: [string, unknown][] = [...identity, ...fields]
  return (
    <table className="documents-fields">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <td>
              <Group gap={2} wrap="nowrap" className="documents-field-actions">
                <Action label={`${messages.filterFor}: ${name}`} onClick={() => onFilter(filterOf(name, value))}>
                  <ZoomIn size={13} />
                </Action>
                <Action
                  label={`${messages.filterOut}: ${name}`}
                  onClick={() => onFilter({ ...filterOf(name, value), negate: true })}
                >
                  <ZoomOut size={13} />
                </Action>
                {onToggleColumn && (
                  <Action
                    label={`${columns.includes(name) ? messages.removeColumn : messages.addColumn}: ${name}`}
                    onClick={() => onToggleColumn(name)}
                  >
                    <Columns3 size={13} />
                  </Action>
                )}
              </Group>
            </td>
            <th scope="row">
              <Group gap={6} wrap="nowrap">
                <FieldIcon type={types.get(name)} />
                {names?.[name] === undefined ? name : <span title={name}>{names[name]}</span>}
              </Group>
            </th>
            <td className="mono">
              <FieldText hit={hit} name={name} value={value} type={types.get(name)} format={formats?.[name]} />
            </td>
          </tr>
        ))}
        {isDocument(hit) && <ScriptErrors hit={hit} fields={fields} pattern={props.pattern} />}
      </tbody>
    </table>
  )
}

/** Rows that a query made are none: they have no index. */
function isDocument(hit: Hit): boolean {
  return hit._index !== ''
}

function Action({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="xs" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

function filterOf(field: string, value: unknown): FieldFilter {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'string' || typeof first === 'number' || typeof first === 'boolean')
    return { field, value: first }
  return { field }
}
