import type { z } from 'zod'

/** What a schema of zod says of itself, as far as its keys are concerned. */
interface Described {
  readonly def: {
    readonly type: string
    readonly shape?: Readonly<Record<string, Described>>
    readonly options?: readonly Described[]
    readonly innerType?: Described
    readonly in?: Described
  }
  meta(): Readonly<Record<string, unknown>> | undefined
}

/** The keys that a schema takes, wherever its body may have them; none where it reads the body itself. */
export function parametersOf(schema: z.ZodType): string[] {
  return [...new Set(keysOf(schema as unknown as Described))]
}

function keysOf(schema: Described): string[] {
  const described = schema.meta()?.['parameters']
  if (described) return keysOf(described as Described)
  const { type, shape, options, innerType, in: given } = schema.def
  if (type === 'object') return Object.keys(shape ?? {})
  if (type === 'union') return (options ?? []).flatMap(keysOf)
  const inner = innerType ?? given
  return inner ? keysOf(inner) : []
}
