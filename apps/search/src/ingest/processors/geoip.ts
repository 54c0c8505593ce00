import { formatIp, parseIp } from '@logstack/rules'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor, type ProcessorType } from '../define-processor.ts'
import type { GeoDatabase } from '../geo/databases.ts'
import { geoProperties, geoPropertiesByDefault } from '../geo/properties.ts'
import type { IngestDocument } from '../ingest-document.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import { readField } from '../text-processor.ts'

type Tell = (database: GeoDatabase, text: string) => Record<string, unknown> | undefined

/** The names `properties` may hold; those of every kind while the database is not there to say its own. */
function readProperties(config: ProcessorConfig, database: GeoDatabase | undefined): readonly string[] | undefined {
  const given = config.optionalTexts('properties')?.map((name) => name.toLowerCase())
  const known = database?.kind
    ? Object.keys(geoProperties[database.kind])
    : Object.values(geoProperties).flatMap((properties) => Object.keys(properties))
  const unknown = given?.find((name) => !known.includes(name))
  if (unknown === undefined) return given
  const valid = [...new Set(known)].map((name) => name.toUpperCase()).join(', ')
  throw config.fault('properties', `illegal property value [${unknown}]. valid values are [${valid}]`)
}

function readDatabaseFile(config: ProcessorConfig): string {
  const file = config.optionalText('database_file') ?? 'GeoLite2-City.mmdb'
  if (/^[\w(][\w .()-]*$/u.test(file)) return file
  throw config.fault('database_file', `[${file}] is not the name of a file in the folder of databases`)
}

/** What a database tells of a text; undefined when it knows nothing of the address. Throws when the text is no address. */
function teller(file: string, properties: readonly string[] | undefined): Tell {
  return (database, text) => {
    if (!database.kind) throw unfit(`Unsupported database type [${database.type}] for file [${file}]`)
    const address = parseIp(text)
    if (address === undefined) throw unfit(`'${text}' is not an IP string literal.`)
    const ip = formatIp(address)
    const found = database.lookup(ip)
    if (!found) return undefined
    const readers = geoProperties[database.kind]
    const told = (properties ?? geoPropertiesByDefault[database.kind]).map((name) => [
      name,
      readers[name]?.({ ip, ...found }),
    ])
    return Object.fromEntries(told.filter(([, value]) => value !== undefined))
  }
}

function tellOfList(values: readonly unknown[], field: string, firstOnly: boolean, tell: (text: string) => unknown) {
  const told: unknown[] = []
  for (const value of values) {
    if (typeof value !== 'string') throw unfit(`array in field [${field}] should only contain strings`)
    const one = tell(value)
    if (firstOnly && one !== undefined) return one
    told.push(one ?? null)
  }
  return firstOnly || told.every((one) => one === null) ? undefined : told
}

function build(type: string): ProcessorType {
  return defineProcessor(type, (config, { databases }) => {
    const field = config.text('field')
    const target = config.optionalText('target_field') ?? 'geoip'
    const file = readDatabaseFile(config)
    const database = databases.find(file)
    if (database && !database.kind)
      throw config.fault('database_file', `Unsupported database type [${database.type}] for file [${file}]`)
    const properties = readProperties(config, database)
    const ignoreMissing = config.boolean('ignore_missing')
    const firstOnly = config.boolean('first_only', true)
    // Databases are never downloaded here, so that there is nothing to wait for.
    config.boolean('download_database_on_pipeline_creation', true)
    const tell = teller(file, properties)
    return (document) => {
      const value = readAddress(document, field, ignoreMissing)
      if (value === undefined) return
      const open = databases.find(file)
      if (!open) return document.append('tags', [`_${type}_database_unavailable_${file}`])
      const told = Array.isArray(value)
        ? tellOfList(value, field, firstOnly, (text) => tell(open, text))
        : tell(open, value)
      if (told !== undefined) document.set(target, told)
    }
  })
}

function readAddress(document: IngestDocument, field: string, ignoreMissing: boolean): string | unknown[] | undefined {
  const value = readField(document, field, ignoreMissing, 'cannot extract geoip information.')
  if (value === undefined || typeof value === 'string' || Array.isArray(value)) return value
  throw unfit(`field [${field}] should contain only string or array of strings`)
}

/** `geoip`: where an address is, or whose network it is in, from a database the operator gave. */
export const geoipProcessor = build('geoip')

/** `ip_location`: `geoip` under the name that does not mean one maker's databases. */
export const ipLocationProcessor = build('ip_location')
