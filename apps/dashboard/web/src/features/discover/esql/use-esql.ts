import { messageOf } from '@logstack/errors'
import type { QueryClause } from '@logstack/kql'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { askEsql, type EsqlAnswer, type EsqlQuestion } from '../../../api/esql.ts'
import { indicesOf } from '../../../esql/query-text.ts'
import { esqlQuestion } from '../../../esql/question.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'
import { useFields } from '../../../query/use-fields.ts'
import { automaticInterval } from '../../../time/interval.ts'
import type { TimeState } from '../../../time/use-time-range.ts'
import type { Bar } from '../use-discover.ts'
import { histogramQuery } from './histogram-query.ts'

const histogramBuckets = 60

/** What Discover asks for in ES|QL. */
export interface EsqlSearch {
  readonly esql: string
  readonly timeField: string
  readonly queries: readonly LanguageQuery[]
  readonly clauses: readonly QueryClause[]
  readonly time: Pick<TimeState, 'resolved' | 'round'>
}

/** The answer to a query, and the bars above it where its rows are documents; bars that search refuses are none. */
export function useEsql({ esql, timeField, queries, clauses, time }: EsqlSearch) {
  const index = useMemo(() => indicesOf(esql), [esql])
  const fields = useFields(index)
  const { types } = fields
  const asked = useMemo(
    () => ({ timeField, range: time.resolved, queries, filters: clauses, types }),
    [timeField, time.resolved, queries, clauses, types],
  )
  const { question, problem } = useMemo(() => tried(() => esqlQuestion({ esql, ...asked })), [esql, asked])
  const isAsked = esql.trim() !== ''
  const answer = useQuery({
    queryKey: ['discover', 'esql', question, time.round],
    queryFn: ({ signal }) => askEsql(question ?? { query: esql }, signal),
    enabled: isAsked && fields.settled && question !== undefined,
    placeholderData: keepPreviousData,
  })
  const isTimed = answer.data?.columns.some(({ name, type }) => name === timeField && type.startsWith('date')) ?? false
  const interval = automaticInterval(time.resolved.toMs - time.resolved.fromMs, histogramBuckets)
  const counting = isTimed ? histogramQuery(esql, timeField, interval) : undefined
  const bars = useQuery({
    queryKey: ['discover', 'esql-histogram', counting?.esql, asked.range, queries, clauses, time.round],
    queryFn: async ({ signal }) =>
      barsOf(await askEsql(esqlQuestion({ ...asked, esql: counting?.esql ?? '' }), signal)),
    enabled: counting !== undefined && answer.isSuccess,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const histogram = counting && bars.data ? { bars: bars.data, isBeforeLimit: counting.isBeforeLimit } : undefined
  return { index, fields, answer, isAsked, isTimed, problem, interval, histogram }
}

function tried(build: () => EsqlQuestion): { readonly question?: EsqlQuestion; readonly problem?: string } {
  try {
    return { question: build() }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}

/** Bars of the answer to a histogram's query; rows without a time are none. */
function barsOf({ columns, values }: EsqlAnswer): Bar[] {
  const placeOf = (wanted: string): number => columns.findIndex(({ name }) => name === wanted)
  const [time, count] = [placeOf('timestamp'), placeOf('results')]
  return values.flatMap((row) => {
    const ms = Date.parse(String(row[time]))
    return Number.isNaN(ms) ? [] : [{ ms, count: Number(row[count]) }]
  })
}
