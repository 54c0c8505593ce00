import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { type OsvRecord, osvRecordSchema } from './osv-record.ts'

/** Records are some kilobytes; what claims to be larger than this is not unpacked. */
const recordBytesMax = 16 * 1024 * 1024

/** What was read of the files: a record, or why a part of a file is none. */
export type OsvRead = { readonly record: OsvRecord } | { readonly problem: string }

/**
 * The records of OSV in files: `all.zip` as OSV.dev publishes it for an ecosystem, a folder of JSON files, one such file, or one with a record a line
 * (`.jsonl`, `.ndjson`). One record is in memory at a time. Throws `option_invalid` for what cannot be read at all.
 */
export async function* readOsvFiles(paths: readonly string[]): AsyncGenerator<OsvRead> {
  for (const path of paths) {
    try {
      yield* readPath(path)
    } catch (thrown) {
      throw new AppError(operatorErrors.option_invalid, `${path}: ${messageOf(thrown)}`, {
        cause: thrown,
        fix: 'name an all.zip of OSV.dev, or a folder or files of JSON in the OSV format',
      })
    }
  }
}

async function* readPath(path: string): AsyncGenerator<OsvRead> {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.json')) yield parse(join(path, name), readFileSync(join(path, name), 'utf8'))
  } else if (path.endsWith('.zip')) yield* readZip(path)
  else if (/\.(?:jsonl|ndjson)$/.test(path)) yield* readLines(path)
  else yield parse(path, readFileSync(path, 'utf8'))
}

async function* readLines(path: string): AsyncGenerator<OsvRead> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() !== '') yield parse(`${path}:${number}`, line)
  }
}

async function* readZip(path: string): AsyncGenerator<OsvRead> {
  const zip: ZipFile = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('.json')) continue
      const where = `${path}: ${entry.fileName}`
      if (entry.uncompressedSize > recordBytesMax) yield { problem: `${where} has more than 16 MiB` }
      else yield parse(where, await text(await contentOf(zip, entry)))
    }
  } finally {
    zip.close()
  }
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return zip.openReadStreamPromise(entry)
}

function parse(where: string, json: string): OsvRead {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (thrown) {
    return { problem: `${where} is no JSON: ${messageOf(thrown)}` }
  }
  const read = osvRecordSchema.safeParse(value)
  if (read.success) return { record: read.data }
  const [issue] = read.error.issues
  return { problem: `${where} is no record of OSV: ${issue?.path.join('.')}: ${issue?.message}` }
}
