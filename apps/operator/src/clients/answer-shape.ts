import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'

/** Answers are quoted up to here: enough to see a proxy's page or another program's banner. */
const quotedMax = 80

interface Answered {
  readonly body: unknown
  /** As it came, where that is known. */
  readonly text?: string
}

/** What a part answered, as its API promises it; `part_refused` when something else answers in its place. */
export function shapedAnswer<T>({ body, text }: Answered, schema: z.ZodType<T>, asked: string): T {
  const found = schema.safeParse(body)
  if (found.success) return found.data
  const [issue] = found.error.issues
  const at = issue?.path.length ? `, at ${issue.path.map(String).join('.')}` : ''
  const quoted = JSON.stringify((text ?? JSON.stringify(body) ?? '').slice(0, quotedMax))
  throw new AppError(operatorErrors.part_refused, `${asked} has another form than its API promises${at}: ${quoted}`, {
    fix: './logstack doctor --only ports',
  })
}

/** An answer of `_search` with documents of one form. */
export function hitsAnswer<T>(source: z.ZodType<T>) {
  return z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string(), _source: source })) }) })
}

/** An answer of `_search` that counts the values of a field under one name; without an index it has no aggregation. */
export function bucketsAnswer<T>(name: string, bucket: z.ZodType<T>) {
  const schema = z.object({
    hits: z.object({}),
    aggregations: z.record(z.string(), z.object({ buckets: z.array(bucket) })).optional(),
  })
  return schema.transform(({ aggregations }) => aggregations?.[name]?.buckets ?? [])
}
