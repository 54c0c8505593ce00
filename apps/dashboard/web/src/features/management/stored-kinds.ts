import { serviceAccounts } from '@logstack/contracts'
import type { ComponentType } from 'react'
import { manage } from '../../api/manage.ts'
import { readSearch } from '../../api/search.ts'
import { formatBytes, formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import { ApiKeyForm } from './edit/api-key-form.tsx'
import type { FormProps } from './edit/form.tsx'
import { messages as formMessages } from './edit/messages.ts'
import { PipelineForm } from './edit/pipeline-form.tsx'
import { PolicyForm } from './edit/policy-form.tsx'
import { RoleForm } from './edit/role-form.tsx'
import type { EditPrivilege } from './edit/use-may.ts'
import { UserForm } from './edit/user-form.tsx'
import { messages } from './messages.ts'
import type { StoredEntry } from './stored-entry.ts'

/** A kind of things that search keeps: how they are listed and, where that is offered, deleted. */
export interface StoredKind {
  readonly path: string
  readonly title: string
  readonly text: string
  readonly columns: readonly string[]
  load(signal: AbortSignal): Promise<StoredEntry[]>
  remove?: (name: string) => Promise<unknown>
  /** How it is made and changed. */
  readonly edit?: KindEdit
}

/** The form of a kind, and the privilege it takes; deleting takes the same. */
interface KindEdit {
  readonly privilege: EditPrivilege
  /** What the button says that makes a new one. */
  readonly create: string
  readonly Form: ComponentType<FormProps>
  /** Whether what is there can be changed; otherwise it is only made and deleted. */
  readonly canChange: boolean
}

interface CatIndex {
  readonly index: string
  readonly health?: string
  readonly status?: string
  readonly 'docs.count'?: string
  readonly 'store.size'?: string
}

type Named = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const catIndices = (signal: AbortSignal): Promise<CatIndex[]> =>
  readSearch(
    '_cat/indices?format=json&bytes=b&h=index,health,status,docs.count,store.size&expand_wildcards=all',
    signal,
  )
const numberOf = (text: string | undefined): number => Number(text ?? 0) || 0
const removeAt = (folder: string) => (name: string) => manage('DELETE', `${folder}${encodeURIComponent(name)}`)

const dataStreams: StoredKind = {
  path: 'data-streams',
  title: messages.dataStreams,
  text: messages.dataStreamsText,
  columns: [messages.documents, messages.size, messages.indexCount, messages.retention, messages.template],
  async load(signal) {
    const [answer, indices] = await Promise.all([
      manage<{ data_streams: DataStream[] }>('GET', '_data_stream', { signal }),
      catIndices(signal),
    ])
    const known = new Map(indices.map((row) => [row.index, row]))
    return answer.data_streams.map((stream) => {
      const own = stream.indices.flatMap(({ index_name: index }) => known.get(index) ?? [])
      const sum = (column: 'docs.count' | 'store.size'): number =>
        own.reduce((total, row) => total + numberOf(row[column]), 0)
      const retention = stream.lifecycle?.data_retention ?? ''
      const counts = [formatNumber(sum('docs.count')), formatBytes(sum('store.size')), String(stream.indices.length)]
      const policy = stream.ilm_policy === undefined ? '' : messages.byPolicy(stream.ilm_policy)
      const kept = retention || policy || messages.forEver
      return { name: stream.name, cells: [...counts, kept, stream.template ?? '-'], body: stream, retention }
    })
  },
  remove: removeAt('_data_stream/'),
}

interface DataStream {
  readonly name: string
  readonly indices: readonly { readonly index_name: string }[]
  readonly template?: string
  readonly ilm_policy?: string
  readonly lifecycle?: { readonly data_retention?: string }
}

const indices: StoredKind = {
  path: 'indices',
  title: messages.indices,
  text: messages.indicesText,
  columns: [messages.health, messages.status, messages.documents, messages.size],
  async load(signal) {
    const rows = (await catIndices(signal)).filter(({ index }) => !index.startsWith('.'))
    return rows.map((row) => ({
      name: row.index,
      cells: [
        row.health ?? '-',
        row.status ?? '-',
        formatNumber(numberOf(row['docs.count'])),
        formatBytes(numberOf(row['store.size'])),
      ],
      body: row,
    }))
  },
  remove: removeAt(''),
}

const pipelines: StoredKind = {
  path: 'pipelines',
  title: messages.pipelines,
  text: messages.pipelinesText,
  columns: [messages.about, messages.processors],
  async load(signal) {
    const found = await manage<Named>('GET', '_ingest/pipeline', { signal })
    return namedEntries(found, (body) => [String(body['description'] ?? '-'), String(lengthOf(body['processors']))])
  },
  remove: removeAt('_ingest/pipeline/'),
  edit: { privilege: 'manage_pipeline', create: formMessages.createPipeline, Form: PipelineForm, canChange: true },
}

const policies: StoredKind = {
  path: 'lifecycle',
  title: messages.policies,
  text: messages.policiesText,
  columns: [messages.phases, messages.changed],
  async load(signal) {
    const found = await manage<Named>('GET', '_ilm/policy', { signal })
    return namedEntries(found, (body) => {
      const phases = Object.keys((body['policy'] as { phases?: object } | undefined)?.phases ?? {})
      return [phases.join(' → ') || '-', instantOf(body['modified_date'])]
    })
  },
  remove: removeAt('_ilm/policy/'),
  edit: { privilege: 'manage_ilm', create: formMessages.createPolicy, Form: PolicyForm, canChange: true },
}

const ownUsers = new Set(serviceAccounts.map(({ username }) => username))
const ownRoles = new Set(serviceAccounts.map(({ role }) => role.name))

const users: StoredKind = {
  path: 'users',
  title: messages.users,
  text: messages.usersText,
  columns: [messages.fullName, messages.roles, messages.enabled],
  async load(signal) {
    const found = await manage<Named>('GET', '_security/user', { signal })
    const entries = namedEntries(found, (body) => [
      String(body['full_name'] ?? '') || '-',
      listOf(body['roles']),
      body['enabled'] === false ? messages.no : messages.yes,
    ])
    return entries.map((entry) => withFixed(entry, ownUsers))
  },
  remove: removeAt('_security/user/'),
  edit: { privilege: 'manage_security', create: formMessages.createUser, Form: UserForm, canChange: true },
}

const roles: StoredKind = {
  path: 'roles',
  title: messages.roles,
  text: messages.rolesText,
  columns: [messages.cluster, messages.indices],
  async load(signal) {
    const found = await manage<Named>('GET', '_security/role', { signal })
    const entries = namedEntries(found, (body) => {
      const grants = Array.isArray(body['indices']) ? (body['indices'] as { names?: unknown }[]) : []
      return [listOf(body['cluster']), grants.map(({ names }) => listOf(names)).join('; ') || '-']
    })
    return entries.map((entry) => withFixed(entry, ownRoles))
  },
  remove: removeAt('_security/role/'),
  edit: { privilege: 'manage_security', create: formMessages.createRole, Form: RoleForm, canChange: true },
}

interface ApiKey {
  readonly id: string
  readonly name: string
  readonly username?: string
  readonly creation?: number
  readonly expiration?: number
  readonly invalidated?: boolean
}

const apiKeys: StoredKind = {
  path: 'api-keys',
  title: messages.apiKeys,
  text: messages.apiKeysText,
  columns: [messages.keyName, messages.owner, messages.created, messages.expires, messages.valid],
  async load(signal) {
    const { api_keys: keys } = await manage<{ api_keys: ApiKey[] }>('GET', '_security/api_key', { signal })
    return keys.map((key) => ({
      name: key.id,
      cells: [
        key.name,
        key.username ?? '-',
        instantOf(key.creation),
        key.expiration === undefined ? messages.never : instantOf(key.expiration),
        key.invalidated ? messages.no : messages.yes,
      ],
      body: key,
      isFixed: key.invalidated === true,
    }))
  },
  remove: (id) => manage('DELETE', '_security/api_key', { json: { ids: [id] } }),
  edit: { privilege: 'manage_own_api_key', create: formMessages.createKey, Form: ApiKeyForm, canChange: false },
}

/** All kinds, in the order of their tabs. */
export const storedKinds: readonly StoredKind[] = [dataStreams, indices, policies, pipelines, users, roles, apiKeys]

/** Sets how long a data stream keeps its documents; an empty text for ever. */
export function setRetention(stream: string, retention: string): Promise<unknown> {
  const path = `_data_stream/${encodeURIComponent(stream)}/_lifecycle`
  return manage('PUT', path, { json: retention === '' ? {} : { data_retention: retention } })
}

function namedEntries(
  found: Named,
  cellsOf: (body: Readonly<Record<string, unknown>>) => readonly string[],
): StoredEntry[] {
  return Object.entries(found).map(([name, body]) => ({ name, cells: cellsOf(body), body }))
}

/** Says of reserved users and roles, and of those of the stack's parts, that they cannot be changed: `./logstack password` does that. */
function withFixed(entry: StoredEntry, ofStack: ReadonlySet<string>): StoredEntry {
  const { metadata } = entry.body as { metadata?: { _reserved?: unknown } }
  return { ...entry, isFixed: metadata?._reserved === true || ofStack.has(entry.name) }
}

function listOf(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.join(', ') : '-'
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

function instantOf(value: unknown): string {
  const ms = typeof value === 'string' ? Date.parse(value) : Number(value)
  return Number.isFinite(ms) && value !== undefined ? formatInstant(ms).slice(0, 19) : '-'
}
