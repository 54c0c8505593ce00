import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { stepTypes } from './steps/registry.ts'
import type { Step } from './steps/step.ts'

const nameSchema = z.string().regex(/^[a-z0-9-]+$/)
const datasetSchema = z.string().regex(/^[a-z0-9_.]{1,100}$/)
const setValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** One step, `{ keyword: options }`, compiled. */
const stepSchema = z.record(z.string(), z.unknown()).transform((written, context): Step => {
  const [entry, ...others] = Object.entries(written)
  const type = stepTypes.find(({ name }) => name === entry?.[0])
  if (entry && type && others.length === 0) {
    const options = type.options.safeParse(entry[1])
    if (options.success) return type.compile(entry[1])
    for (const issue of options.error.issues) {
      context.addIssue({ code: 'custom', message: issue.message, path: [type.name, ...issue.path] })
    }
    return z.NEVER
  }
  context.addIssue({ code: 'custom', message: `a step is one of ${stepTypes.map(({ name }) => name).join(', ')}` })
  return z.NEVER
})

/** What is written into the document, of a whole file or of one event. */
const writesSchema = {
  /** Field → text with `{value}` in it, or a list of texts; a text with a value that is absent is not set. */
  set: z.record(z.string(), setValueSchema).default({}),
  /** Field → what to set for each text of a value; `otherwise` for all others. */
  map: z
    .record(
      z.string(),
      z.strictObject({
        from: z.string(),
        values: z.record(z.string(), setValueSchema),
        otherwise: setValueSchema.optional(),
      }),
    )
    .default({}),
  /** Keeps every value whose name begins with `prefix` (which is cut off) under a field, but for those named. */
  keep: z
    .strictObject({
      under: z.string(),
      prefix: z.string().default(''),
      except: z.array(z.string()).default([]),
      lower: z.boolean().default(false),
    })
    .optional(),
  /** The event's own time: text with `{value}` in it. */
  time: z.string().optional(),
  dataset: datasetSchema.optional(),
}

const eventSchema = z.strictObject({
  name: nameSchema,
  /** Value → the texts it may have; `*` at the end stands for anything, alone for being there. */
  when: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)])).default({}),
  steps: z.array(stepSchema).default([]),
  ...writesSchema,
})

const decoderFileSchema = z
  .strictObject({
    name: nameSchema,
    title: z.string(),
    /** Syslog app names this decoder is for. `*` is any and is tried last. */
    programs: z.array(z.string()).default([]),
    /** Datasets of the input it is for. */
    datasets: z.array(datasetSchema).default([]),
    /** Paths of log files it is for; `*` stands for any characters. */
    paths: z.array(z.string()).default([]),
    /** Only messages that hold one of these texts are looked at; needed where `programs` is any, so that other events cost nothing. */
    contains: z.array(z.string().min(1)).default([]),
    module: nameSchema.or(z.string().regex(/^[a-z0-9_]+$/)),
    /** Steps that all events share; a message they do not fit is none of this decoder. */
    steps: z.array(stepSchema).default([]),
    ...writesSchema,
    events: z.array(eventSchema).min(1),
  })
  .refine(({ programs, datasets, paths }) => programs.length + datasets.length + paths.length > 0, {
    message: 'names no program, dataset or path it is for',
  })
  .refine(({ programs, contains }) => !programs.includes('*') || contains.length > 0, {
    path: ['contains'],
    message: 'needed where any program may match',
  })

/** One decoder as its file says it, its steps compiled. */
export type DecoderFile = z.infer<typeof decoderFileSchema>
export type DecoderEvent = DecoderFile['events'][number]
export type Writes = Pick<DecoderEvent, 'set' | 'map' | 'keep' | 'time' | 'dataset'>

/** Checks a decoder written as data; throws the schema's own error. */
export function parseDecoder(value: unknown): DecoderFile {
  return decoderFileSchema.parse(value)
}

/** The decoders of a folder, and why the others of its files cannot be used. */
export interface DecoderFolder {
  readonly files: readonly DecoderFile[]
  readonly problems: readonly AppError[]
}

/** Reads `*.yml` of a folder, in the order of their names; a file of another form is a `decoder_invalid` problem with its name and place. */
export function readDecoderFiles(folder: string): DecoderFolder {
  const files: DecoderFile[] = []
  const problems: AppError[] = []
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.yml')) continue
    const read = readDecoderFile(join(folder, name))
    if (read instanceof AppError) problems.push(read)
    else files.push(read)
  }
  return { files, problems }
}

function readDecoderFile(path: string): DecoderFile | AppError {
  try {
    return parseDecoder(parseYaml(readFileSync(path, 'utf8')))
  } catch (thrown) {
    const [issue] = thrown instanceof z.ZodError ? thrown.issues : []
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : messageOf(thrown)
    return new AppError(agentsErrors.decoder_invalid, `${path}: ${reason}`, { cause: thrown, fix: `mend ${path}` })
  }
}
