import { indicesOf } from '../../../esql/query-text.ts'
import { suggestEsql } from '../../../esql/suggest.ts'
import { SuggestionList } from '../../../query/suggestions.tsx'
import { useFields } from '../../../query/use-fields.ts'
import { useIndexNames } from '../../../query/use-index-names.ts'

interface Props {
  readonly text: string
  readonly cursor: number
  /** Patterns of indices that the dashboard knows, beside the indices that there are. */
  readonly patterns: readonly string[]
}

/** What may be written next in ES|QL. It exists while it is shown: what it looks up ends with it. */
export function EsqlSuggestions({ text, cursor, patterns }: Props) {
  const { fields } = useFields(indicesOf(text))
  const names = useIndexNames()
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const indices = [...new Set([...patterns, ...names])]
  const completion = suggestEsql(text, cursor, { indices, fields: [...types.keys()] })
  if (!completion) return null
  const options = completion.options.map((option) => ({ ...option, type: types.get(option.label) }))
  return <SuggestionList from={completion.from} options={options} />
}
