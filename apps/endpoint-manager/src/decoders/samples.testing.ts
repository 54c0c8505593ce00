import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSyslog } from '@logstack/syslog'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { buildDocument } from '../documents/build-document.ts'
import type { Fields } from '../ecs/fields.ts'
import type { Decoders } from './decoders.ts'

const sampleSchema = z.strictObject({
  /** The line as it comes; with a priority (`<13>`) as over syslog. */
  log: z.string(),
  /** The app name, where the journal would know it. */
  program: z.string().optional(),
  path: z.string().optional(),
  dataset: z.string().optional(),
  /** The decoder's event that must take it. */
  event: z.string(),
  /** Every field of the document by its dotted name, but for those that all documents have. */
  document: z.record(z.string(), z.unknown()),
})

const samplesSchema = z.strictObject({ samples: z.array(sampleSchema).min(1) })

/** A sample event of a decoder and the document it must give. */
export type Sample = z.infer<typeof sampleSchema> & { readonly decoder: string }

/** The time at which samples are collected. */
const collected = Date.parse('2026-11-22T03:30:00Z')

const alike = ['ecs.version', 'event.ingested', 'data_stream.type', 'data_stream.namespace', 'data_stream.dataset']

/** Reads `samples/<decoder>.yml`. */
export function readSamples(folder: string): Sample[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      samplesSchema
        .parse(parseYaml(readFileSync(join(folder, name), 'utf8')))
        .samples.map((sample) => ({ ...sample, decoder: basename(name, '.yml') })),
    )
}

/** The document of a sample, by dotted names, without what all documents have; `decoded` says which decoder's event took it. */
export function documentOf(sample: Omit<Sample, 'event' | 'document' | 'decoder'>, decoders: Decoders): Fields {
  const syslog = sample.log.startsWith('<') && /^<\d/.test(sample.log) ? parseSyslog(sample.log) : undefined
  const fields = {
    message: sample.log,
    ...(sample.program || sample.path
      ? { log: { syslog: { appname: sample.program }, file: { path: sample.path } } }
      : {}),
  }
  const raw = { type: 'logs' as const, dataset: sample.dataset ?? 'sample', fields, collected }
  const { document, decoded } = buildDocument(syslog ? { ...raw, syslog } : raw, decoders, collected)
  const flat: Fields = { decoded: decoded && `${decoded.decoder}/${decoded.event}` }
  flatten(document, '', flat)
  for (const name of alike) delete flat[name]
  return flat
}

function flatten(node: object, prefix: string, into: Fields): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) flatten(value, `${prefix}${key}.`, into)
    else if (value !== undefined) into[`${prefix}${key}`] = value
  }
}
