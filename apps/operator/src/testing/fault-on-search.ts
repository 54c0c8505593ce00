import type { SearchClient } from '@logstack/search-client'
import { afterAll, beforeAll } from 'vitest'
import type { Fault } from '../doctor/define-fault.ts'
import { type Examined, examine } from '../doctor/examine.ts'
import { type RepairRecord, repairAll } from '../doctor/repair.ts'
import { type StackOnSearch, stackOnSearch } from './stack-on-search.ts'

const startMs = 300_000
const removeMs = 120_000
const looksAtOnce = 4

/** A fault over a stack whose search is real, started before the tests of a file and removed after them. */
export interface FaultOnSearch {
  /** Started before the first test. */
  readonly stack: StackOnSearch['stack']
  readonly orders: StackOnSearch['orders']
  /** The administrator's. */
  client(): SearchClient
  /** What the fault's look finds now. */
  look(): Promise<Examined['outcome'] | undefined>
  /** Mends everything that is found, and says how that ended. */
  mend(): Promise<RepairRecord[]>
}

/** `mended` are the faults that are mended together where it is not this one alone, in their order. */
export function faultOnSearch(fault: Fault, mended: readonly Fault[] = [fault]): FaultOnSearch {
  let on: StackOnSearch | undefined
  beforeAll(async () => {
    on = await stackOnSearch()
  }, startMs)
  afterAll(() => on?.remove(), removeMs)
  const started = (): StackOnSearch => {
    if (!on) throw new Error('BUG: the stack is there for tests alone')
    return on
  }
  return {
    get stack() {
      return started().stack
    },
    get orders() {
      return started().orders
    },
    client: () => started().stack.clients.search(),
    look: async () => (await examine(started().stack, [fault], undefined, looksAtOnce))[0]?.outcome,
    mend: async () => {
      const records: RepairRecord[] = []
      const ended = (record: RepairRecord) => void records.push(record)
      const talk = { agree: async () => true, progress: { waiting: () => undefined }, ended }
      await repairAll(started().stack, mended, { talk })
      return records
    },
  }
}
