import { type WazuhAgent, wazuhAgentsIndex } from '@logstack/contracts'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { type BulkAction, ensureHiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'
import type { KeyEntry, RefusedLine } from './client-keys.ts'
import { storedWazuhKeys } from './stored-agents.ts'

const batchSize = 1_000
const conflict = 409

/** A line that could be read and was not taken: the agent is there `otherwise`, another one has its id or name (`taken`), or search refused it. */
export interface RefusedEntry extends RefusedLine {
  readonly because: 'otherwise' | 'taken' | 'search'
}

/** What became of the lines of a `client.keys`. */
export interface ImportedAgents {
  readonly added: number
  /** Agents that were there with another key or address, which they have now. */
  readonly replaced: number
  /** Agents that were there just so. */
  readonly unchanged: number
  readonly refused: readonly RefusedEntry[]
}

/** A line that is to be written. */
interface Planned {
  readonly line: number
  readonly action: BulkAction
}

/**
 * Adds agents to those there are. One that is there keeps its key, and its line is refused, unless `replace` says that the file is right; what was heard of it
 * stays. An id or a name that is another agent's is refused in any case. `at` is ISO 8601. A failure on the way says how far it was: again is as good as anew.
 */
export async function importWazuhAgents(
  search: SearchClient,
  entries: readonly KeyEntry[],
  { replace, at }: { readonly replace: boolean; readonly at: string },
): Promise<ImportedAgents> {
  await ensureHiddenIndex(search, wazuhAgentsIndex)
  const stored = await storedWazuhKeys(search)
  const idsOfNames = new Map([...stored].map(([id, { name }]) => [name, id]))
  const refused: RefusedEntry[] = []
  const planned: Planned[] = []
  let unchanged = 0
  for (const entry of entries) {
    const { line, id, name, ip, key } = entry
    const there = stored.get(id)
    const namesake = idsOfNames.get(name)
    if (there && there.name !== name)
      refused.push({ line, because: 'taken', why: `id ${id} is taken by the agent ${there.name}` })
    else if (namesake !== undefined && namesake !== id)
      refused.push({ line, because: 'taken', why: `the name ${name} is taken by the agent ${namesake}` })
    else if (!there) planned.push({ line, action: creation(entry, at) })
    else if (there.key === key && there.ip === ip) unchanged += 1
    else if (replace) planned.push({ line, action: change(entry, at) })
    else
      refused.push({
        line,
        because: 'otherwise',
        why: `agent ${id} (${name}) is there with another ${there.key === key ? 'address' : 'key'}`,
      })
  }
  const written = await writeAll(search, planned)
  return { ...written, unchanged, refused: [...refused, ...written.refused].sort((a, b) => a.line - b.line) }
}

function creation({ id, name, ip, key }: KeyEntry, at: string): BulkAction {
  const document: WazuhAgent = { name, ip, key, added: at, added_by: 'import' }
  return { action: 'create', index: wazuhAgentsIndex.name, id, document }
}

function change({ id, ip, key }: KeyEntry, at: string): BulkAction {
  const doc: Partial<WazuhAgent> = { ip, key, added: at, added_by: 'import' }
  return { action: 'update', index: wazuhAgentsIndex.name, id, document: { doc } }
}

async function writeAll(
  search: SearchClient,
  planned: readonly Planned[],
): Promise<Pick<ImportedAgents, 'added' | 'replaced' | 'refused'>> {
  const counts = { create: 0, update: 0 }
  const refused: RefusedEntry[] = []
  for (let from = 0; from < planned.length; from += batchSize) {
    const batch = planned.slice(from, from + batchSize)
    const results = await sendBulk(
      search,
      batch.map(({ action }) => action),
    ).catch((thrown: unknown) => {
      throw cutOff(counts.create + counts.update, planned.length, thrown)
    })
    for (const [place, { line, action }] of batch.entries()) {
      const result = results[place]
      if (result && result.status < 300) counts[action.action as 'create' | 'update'] += 1
      else if (result?.status === conflict)
        refused.push({ line, because: 'otherwise', why: `agent ${action.id} was added just now` })
      else
        refused.push({
          line,
          because: 'search',
          why: `search refused agent ${action.id}: ${result?.error?.type ?? result?.status}`,
        })
    }
  }
  if (planned.length > 0)
    await search.request({ method: 'POST', path: `/${encodeURIComponent(wazuhAgentsIndex.name)}/_refresh` })
  return { added: counts.create, replaced: counts.update, refused }
}

function cutOff(done: number, all: number, thrown: unknown): AppError {
  return new AppError(operatorErrors.part_refused, `search took ${done} of ${all} agents, then: ${messageOf(thrown)}`, {
    cause: thrown,
    fix: 'import the file again once ./logstack status is well: what is there already is passed over',
  })
}
