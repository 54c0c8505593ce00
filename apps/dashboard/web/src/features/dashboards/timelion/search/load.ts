import type { Completeness, SearchAnswer } from '../../../../api/search.ts'
import { searchTogether } from '../../../../api/search-batch.ts'
import type { PanelAnswer } from '../../answers/panel-answer.ts'
import { sharedTypes } from '../../answers/use-table.ts'
import { messages } from '../../messages.ts'
import type { DashboardContext } from '../../model/panel.ts'
import { axesOf } from '../draw/axes.ts'
import type { TimelionChart } from '../draw/option.ts'
import { timelionTable } from '../draw/table.ts'
import { evaluateTimelion } from '../evaluate.ts'
import type { Series } from '../language/series.ts'
import { timeFrame } from '../language/time-frame.ts'
import { TimelionError } from '../language/tree.ts'
import { seriesOf } from './answer.ts'
import { type EsQuestion, searchBody } from './question.ts'

/** What a panel was saved with. */
export interface SavedTimelion {
  readonly expression: string
  readonly interval: string | undefined
}

/** What an expression draws, and what its searches were asked and told. */
export interface TimelionAnswer extends PanelAnswer, TimelionChart {
  /** Whether searches were asked, and none of them found a document. */
  readonly foundNothing: boolean
}

interface Asked {
  readonly index: string
  readonly body: unknown
  readonly answer: SearchAnswer
}

interface Surroundings {
  readonly context: Pick<DashboardContext, 'range' | 'queries' | 'filters'>
  /** The time field of an index pattern by its title; undefined where none has it. */
  readonly timeFieldOf: (index: string) => Promise<string | undefined>
  readonly signal: AbortSignal
}

/** Calculates a saved expression, with what its searches answer. */
export async function loadTimelion(saved: SavedTimelion, surroundings: Surroundings): Promise<TimelionAnswer> {
  const { context } = surroundings
  const frame = timeFrame(context.range, saved.interval)
  const questions = new Map<string, Promise<Asked>>()
  const ask = async (question: EsQuestion): Promise<Series[]> => {
    const key = JSON.stringify(question)
    // Expressions say the same search again for each chain that begins with it.
    const one = questions.get(key) ?? asking(question, surroundings)
    questions.set(key, one)
    return seriesOf(question, (await one).answer)
  }
  const series = await evaluateTimelion(saved.expression, { frame, ask })
  const asked = await Promise.all(questions.values())
  return {
    series,
    axes: axesOf(series),
    // The first bucket begins before the range where the range begins within it.
    range: { ...context.range, fromMs: Math.min(context.range.fromMs, ...frame.instants.slice(0, 1)) },
    foundNothing: asked.length > 0 && asked.every(({ answer }) => answer.hits.total?.value === 0),
    table: timelionTable(series, messages.timelionTime),
    ...together(asked),
    told: asked.map(({ answer: { timed_out = false, _shards = {} } }): Completeness => ({ timed_out, _shards })),
  }
}

async function asking(question: EsQuestion, { context, timeFieldOf, signal }: Surroundings): Promise<Asked> {
  const { index } = question
  const [types, known] = await Promise.all([
    sharedTypes(index),
    question.timeField === undefined ? timeFieldOf(index) : question.timeField,
  ])
  const body = searchBody({ ...question, timeField: known ?? '@timestamp' }, context, types)
  const answer = await searchTogether(index, body, signal)
  if (answer._shards?.total === 0) throw new TimelionError(`There is no index “${index}”`)
  return { index, body, answer }
}

/** All searches as one answer, to look behind: one as it is, several as the lines of one request. */
function together(asked: readonly Asked[]): Pick<PanelAnswer, 'index' | 'body' | 'answer'> {
  const [first, ...others] = asked
  if (first && others.length === 0) return first
  const answers = asked.map(({ answer }) => answer)
  const total = answers.reduce((sum, { hits }) => sum + (hits.total?.value ?? 0), 0)
  const answer = {
    took: Math.max(0, ...answers.map(({ took = 0 }) => took)),
    hits: { total: { value: total }, hits: [] },
    responses: answers,
  }
  const index = [...new Set(asked.map((one) => one.index))].join(', ')
  return { index, body: asked.flatMap((one) => [{ index: one.index }, one.body]), answer }
}
