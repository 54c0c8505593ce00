import type { PolicyInput, PolicyStream } from '@logstack/contracts'

/** A policy while it is edited. */
export interface PolicyDraft {
  readonly name: string
  readonly inputs: readonly PolicyInput[]
  /** Files that may be collected; absent where those that are shipped hold. */
  readonly collectPaths: readonly string[] | undefined
}

/** What the form shows of a stream, where the stream has it. */
export interface StreamChange {
  readonly enabled?: boolean
  readonly paths?: readonly string[]
  readonly exclude?: readonly string[]
  readonly period_ms?: number
}

/** What agent-server takes as the name of a dataset. */
export const isDataset = (text: string): boolean => /^[a-z0-9_.]{1,100}$/.test(text)

/** The lines of a text that say something. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The texts under a key of a stream; undefined where it has none. */
export function listOf(stream: PolicyStream, key: string): readonly string[] | undefined {
  const value = stream[key]
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}

/** Switches an input on or off. */
export function withInput(draft: PolicyDraft, id: string, enabled: boolean): PolicyDraft {
  return { ...draft, inputs: draft.inputs.map((input) => (input.id === id ? switched(input, enabled) : input)) }
}

/** Changes a stream; what the change does not name stays. */
export function withStream(draft: PolicyDraft, inputId: string, streamId: string, change: StreamChange): PolicyDraft {
  const { enabled, ...values } = change
  return withStreams(draft, inputId, (streams) =>
    streams.map((stream) => {
      if (stream.id !== streamId) return stream
      const changed = { ...stream, ...values }
      return enabled === undefined ? changed : switched(changed, enabled)
    }),
  )
}

export function withoutStream(draft: PolicyDraft, inputId: string, streamId: string): PolicyDraft {
  return withStreams(draft, inputId, (streams) => streams.filter(({ id }) => id !== streamId))
}

/** Adds files to be read to the input of log files, which is made where there is none. */
export function withFiles(draft: PolicyDraft, dataset: string, paths: readonly string[]): PolicyDraft {
  const input = draft.inputs.find(({ type }) => type === 'file')
  const taken = new Set(draft.inputs.flatMap(({ streams }) => streams.map(({ id }) => id)))
  const stream = { id: freeId(`file-${dataset}`, taken), data_stream: { type: 'logs' as const, dataset }, paths }
  if (input) return withStreams(draft, input.id, (streams) => [...streams, stream])
  const id = freeId('file', new Set(draft.inputs.map((each) => each.id)))
  return { ...draft, inputs: [...draft.inputs, { id, name: 'Log files', type: 'file', streams: [stream] }] }
}

/** A draft that was typed as JSON, or what is wrong with its form. */
export function readDraft(name: string, value: unknown): PolicyDraft | { readonly problem: string } {
  const { inputs, collect_paths } = value as { inputs?: unknown; collect_paths?: unknown }
  if (!isListOf(inputs, isInput))
    return { problem: 'expected "inputs", a list of objects with "id", "type" and "streams"' }
  if (collect_paths !== undefined && !isListOf(collect_paths, isText))
    return { problem: 'expected "collect_paths" to be a list of texts' }
  return { name, inputs, collectPaths: collect_paths }
}

/** A draft as it is typed as JSON. */
export function jsonOf({ inputs, collectPaths }: PolicyDraft): unknown {
  return { inputs, ...(collectPaths ? { collect_paths: collectPaths } : {}) }
}

function withStreams(
  draft: PolicyDraft,
  inputId: string,
  change: (streams: readonly PolicyStream[]) => PolicyStream[],
): PolicyDraft {
  const inputs = draft.inputs.map((input) =>
    input.id === inputId ? { ...input, streams: change(input.streams) } : input,
  )
  return { ...draft, inputs }
}

/** On is what a policy is that says nothing. */
function switched<T extends { enabled?: boolean | undefined }>(value: T, enabled: boolean): T {
  const { enabled: _, ...rest } = value
  return (enabled ? rest : { ...rest, enabled }) as T
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(id)) return id
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isListOf<T>(value: unknown, isOne: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.every(isOne)
}

function isStream(value: unknown): value is PolicyStream {
  const { id, data_stream: stream } = Object(value) as { id?: unknown; data_stream?: { dataset?: unknown } }
  return isText(id) && isText(stream?.dataset)
}

function isInput(value: unknown): value is PolicyInput {
  const { id, type, streams } = Object(value) as { id?: unknown; type?: unknown; streams?: unknown }
  return isText(id) && isText(type) && isListOf(streams, isStream)
}
