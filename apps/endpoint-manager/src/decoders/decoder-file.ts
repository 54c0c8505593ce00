import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'

const setValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

const sampleSchema = z.strictObject({
  /** The text behind the syslog header. */
  message: z.string(),
  /** Only needed when the decoder takes any program. */
  program: z.string().optional(),
  /** Fields the decoder must set, exactly; `null` means absent. */
  fields: z.record(z.string(), z.unknown()),
})

const patternSchema = z.string().refine(isPattern, 'not a regular expression')

const eventSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** A regular expression over the message; its named groups are the values of `set`. */
  match: patternSchema,
  /** Splits one group into pairs, which become values too: `logname=a uid=0`. */
  kv: z.strictObject({ group: z.string(), pairs: z.string().min(1), separator: z.string().min(1) }).optional(),
  /** Field → text with `{value}` in it, or a list of texts; a text with a value that is absent is not set. */
  set: z.record(z.string(), setValueSchema),
  samples: z.array(sampleSchema).min(1),
})

const decoderFileSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** Syslog app names this decoder is for; `*` is any and is tried last. */
  programs: z.array(z.string()).min(1),
  module: z.string(),
  dataset: z
    .string()
    .regex(/^[a-z0-9_.]{1,100}$/)
    .optional(),
  events: z.array(eventSchema).min(1),
})

/** One decoder as its file says it. */
export type DecoderFile = z.infer<typeof decoderFileSchema>
export type DecoderEvent = DecoderFile['events'][number]

/** Reads `*.yml` of a folder, in the order of their names; a file of another form is `decoder_invalid` with its name and place. */
export function readDecoderFiles(folder: string): DecoderFile[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .sort()
  return names.map((name) => readDecoderFile(join(folder, name)))
}

function readDecoderFile(path: string): DecoderFile {
  try {
    return decoderFileSchema.parse(parseYaml(readFileSync(path, 'utf8')))
  } catch (thrown) {
    const [issue] = thrown instanceof z.ZodError ? thrown.issues : []
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : messageOf(thrown)
    throw new AppError(agentsErrors.decoder_invalid, `${path}: ${reason}`, { cause: thrown, fix: `mend ${path}` })
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return false
    throw thrown
  }
}
