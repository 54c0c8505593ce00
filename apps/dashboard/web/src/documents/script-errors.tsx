import { messageOf } from '@logstack/errors'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { calculatedOf } from '../api/calculated-fields.ts'
import { ApiError } from '../api/client.ts'
import { type Hit, search } from '../api/search.ts'
import type { RuntimeFields } from '../kibana/runtime-fields.ts'
import { messages } from './messages.ts'

/** Fields of one document that are looked into: who reads a document does not read more reasons. */
const lookedIntoMax = 20

/** Rows for the scripted fields that a document has no value of because their script fails for it: each with the reason. */
export function ScriptErrors({
  hit,
  fields,
  pattern,
}: {
  readonly hit: Hit
  readonly fields: ReadonlyMap<string, unknown>
  /** The names of indices by which the document was found. */
  readonly pattern: string | undefined
}) {
  const calculated = pattern === undefined ? undefined : calculatedOf(pattern)
  const names = Object.entries(calculated ?? {}).flatMap(([name, field]) =>
    field.on_script_error === 'continue' && !fields.has(name) ? [name] : [],
  )
  const found = useQuery({
    queryKey: ['script-errors', pattern, hit._index, hit._id, names],
    queryFn: ({ signal }) =>
      Promise.all(names.slice(0, lookedIntoMax).map((name) => reasonOf(name, hit, calculated, signal))),
    enabled: names.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (found.data ?? []).map(
    (error) =>
      error && (
        <tr key={error.name}>
          <td />
          <th scope="row">{error.name}</th>
          <td>
            <Text size="xs" c="red" role="note">
              {messages.scriptFailed(error.reason)}
            </Text>
          </td>
        </tr>
      ),
  )
}

/** Why the script of a field fails for a document: it is asked once more, so that search says so; undefined where the script gives no value. */
async function reasonOf(
  name: string,
  hit: Hit,
  calculated: RuntimeFields | undefined,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly reason: string } | undefined> {
  const { on_script_error: _bearing, ...strict } = calculated?.[name] ?? { type: 'keyword' }
  const body = {
    size: 1,
    query: { ids: { values: [hit._id] } },
    _source: false,
    fields: [name],
    // A script may read other calculated fields.
    runtime_mappings: { ...calculated, [name]: strict },
  }
  try {
    await search(hit._index, body, signal)
    return undefined
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return { name, reason: causeOf(thrown) ?? messageOf(thrown) }
  }
}

interface Cause {
  readonly reason?: string
  readonly caused_by?: Cause
}

/** What the script itself met: search calls all of it a runtime error, and says more within. */
function causeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof ApiError)) return undefined
  const { error } = Object(thrown.body) as { error?: Cause & { failed_shards?: readonly { reason?: Cause }[] } }
  let cause = error?.failed_shards?.[0]?.reason ?? error
  while (cause?.caused_by) cause = cause.caused_by
  return cause?.reason
}
