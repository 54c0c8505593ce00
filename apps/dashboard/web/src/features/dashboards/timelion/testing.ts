import { evaluateTimelion } from './evaluate.ts'
import type { Surroundings } from './functions/define.ts'
import { plainSeries, type Series, valuesOf } from './language/series.ts'
import { timeFrame } from './language/time-frame.ts'
import type { EsQuestion } from './search/question.ts'

/** The start of all charts here. */
export const startMs = Date.UTC(2026, 2, 1, 12)

/** A chart of so many minutes with a point each, and search that answers every question with the same series, kept in `asked`. */
export function chartOf(
  minutes: number,
  answer: readonly Series[] = [],
): Surroundings & { readonly asked: EsQuestion[] } {
  const asked: EsQuestion[] = []
  const frame = timeFrame({ fromMs: startMs, toMs: startMs + minutes * 60_000 }, '1m')
  const ask = (question: EsQuestion): Promise<readonly Series[]> => {
    asked.push(question)
    return Promise.resolve(answer)
  }
  return { frame, ask, asked }
}

/** A series with a value a minute from the start. */
export function minutely(label: string, values: readonly (number | null)[], split?: string): Series {
  return plainSeries(
    label,
    values.map((value, at) => [startMs + at * 60_000, value]),
    split,
  )
}

/** The series of an expression over four minutes, or as many as said. */
export function seriesOfExpression(expression: string, minutes = 4): Promise<readonly Series[]> {
  return evaluateTimelion(expression, chartOf(minutes))
}

/** The values of the series of an expression. */
export async function valuesOfExpression(expression: string, minutes = 4): Promise<(number | null)[][]> {
  return (await seriesOfExpression(expression, minutes)).map(valuesOf)
}
