import { isAppError } from '@logstack/errors'
import { RowBinaryReader } from '../../documents/rowbinary.ts'
import { type DerivedObject, derivedField, derivedObjects } from '../../indices/derived-fields.ts'
import { dynamicField } from '../../indices/dynamic-mapping.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { isWrittenAsDecimal } from '../../indices/source-location.ts'
import { firstObject, parseSource } from '../../json/source-json.ts'
import type { Mapping, ResolvedField } from '../../model/mapping.ts'
import { permittedSource } from '../../security/visible-source.ts'
import { sourceOf } from '../../sql/document-source.ts'
import { sql } from '../../sql/sql.ts'
import type { LeafRequest, PlanServices } from '../leaves/leaf-request.ts'
import { leafRows } from '../leaves/leaves.ts'
import { planLeaves } from '../leaves/plan-leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { arrivalKey } from '../order/order.ts'
import { amongFirst } from '../order/sequences.ts'

/** Documents whose objects are looked at to find out what is in them, and fields that are found of one object. */
const sampleMax = 100
const fieldsMax = 1_000

/**
 * A request with the fields of derived objects that their mapping does not name: their types are those that dynamic mapping would give to what
 * the script emits for some documents. Requests over indices without derived objects are given back as they are.
 */
export async function withInferredFields(
  services: PlanServices,
  request: LeafRequest,
  read: PlanRead,
): Promise<LeafRequest> {
  const inferred = new Map<string, ResolvedField>()
  const seen = new Set<string>()
  // Of daily indices with the same objects the newest says what is in them.
  for (const resolved of [...request.indices].reverse()) {
    const derived = [...derivedObjects(resolved.index.mapping.derived), ...(request.derivedObjects ?? [])]
    for (const object of derived) {
      const key = JSON.stringify(object)
      if (seen.has(key)) continue
      seen.add(key)
      const known = (path: string) => services.catalogue.fields(resolved.index).has(path) || inferred.has(path)
      for (const field of await fieldsOf(services, request, resolved, object, read))
        if (!known(field.path)) inferred.set(field.path, field)
    }
  }
  if (inferred.size === 0) return request
  return { ...request, runtime: new Map([...inferred, ...(request.runtime ?? [])]) }
}

async function fieldsOf(
  services: PlanServices,
  { scope, nowMs, snapshots, runtime }: LeafRequest,
  resolved: ResolvedIndex,
  object: DerivedObject,
  read: PlanRead,
): Promise<readonly ResolvedField[]> {
  const { index } = resolved
  const everything = { indices: [resolved], scope, nowMs, runtime, query: undefined }
  const [leaf] = planLeaves(services, { ...everything, ...(snapshots ? { snapshots } : {}) })
  if (!leaf) return []
  const { from, where } = leafRows(services, leaf)
  const newest = amongFirst({ from, where, orderKeys: [arrivalKey(true)], limit: sampleMax })
  const page = sql`SELECT _id, ${sourceOf(leaf.table, leaf.indices)} FROM ${from} WHERE ${newest} ORDER BY _seq DESC`
  const rows = new RowBinaryReader(await services.engine.bytes(page, 'RowBinary', read))
  const emits = derivedField(object, object.name, 'keyword')
  const reader = leaf.readerOf(index)
  const found = new Map<string, ResolvedField>()
  while (!rows.ended) {
    const id = rows.string()
    const source = permittedSource(scope, index, rows.buffer(), true)
    const metadata = { _id: id, _index: index.name }
    const texts = reader.values(emits, { source: source ? parseSource(source) : {}, metadata })
    for (const text of texts) collect(index.mapping, object, String(text), found)
  }
  return [...found.values()]
}

function collect(mapping: Mapping, object: DerivedObject, text: string, found: Map<string, ResolvedField>): void {
  const bytes = Buffer.from(firstObject(text))
  const walk = (value: unknown, steps: readonly (string | number)[]): void => {
    if (value === null || value === undefined || found.size >= fieldsMax) return
    if (Array.isArray(value)) for (const [at, member] of value.entries()) walk(member, [...steps, at])
    else if (typeof value === 'object') for (const [key, member] of Object.entries(value)) walk(member, [...steps, key])
    else {
      const property = steps.filter((step) => typeof step === 'string').join('.')
      const path = `${object.name}.${property}`
      if (property === '' || found.has(path)) return
      const isDecimal = () => isWrittenAsDecimal(bytes, steps)
      const field = dynamicField(mapping, { path, name: property, leaf: value, isDecimal }, 'true')
      if (field === 'unnamed' || field.runtime) return
      found.set(path, derivedField(object, path, field.definition.type ?? 'keyword', property))
    }
  }
  try {
    walk(parseSource(bytes), [])
  } catch (thrown) {
    // What is no JSON object is an error where the object's values are read.
    if (!isAppError(thrown)) throw thrown
  }
}
