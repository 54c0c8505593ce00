/** What a role grants within a program that keeps its own things behind search. */
export interface ApplicationGrant {
  readonly application: string
  readonly privileges: readonly string[]
  readonly resources: readonly string[]
}

/** What a role grants on index names. */
export interface RoleIndexGrant {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  /** A clause, the text of one, or a template of one; absent shows every document. */
  readonly query?: unknown
  readonly field_security?: {
    readonly grant?: readonly string[] | undefined
    readonly except?: readonly string[] | undefined
  }
  readonly allow_restricted_indices?: boolean
}

/** What a role would grant on other clusters: kept and shown, but there are none here. */
export type RemoteIndexGrant = RoleIndexGrant & { readonly clusters: readonly string[] }

/** What a role would let its holder ask other clusters. */
export interface RemoteClusterGrant {
  readonly privileges: readonly string[]
  readonly clusters: readonly string[]
}

/** A role, in the shape of Elasticsearch's role API. */
export interface Role {
  readonly cluster: readonly string[]
  readonly indices: readonly RoleIndexGrant[]
  readonly applications: readonly ApplicationGrant[]
  readonly run_as: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly transient_metadata: Readonly<Record<string, unknown>>
  readonly description?: string
  /** Kept and shown; nothing here is granted by it. */
  readonly global?: Readonly<Record<string, unknown>>
  readonly remote_indices?: readonly RemoteIndexGrant[]
  readonly remote_cluster?: readonly RemoteClusterGrant[]
}

/** The regular expression, of Lucene's syntax, that a name between slashes is; undefined for other names. */
export function expressionOf(name: string): string | undefined {
  return name.length > 2 && name.startsWith('/') && name.endsWith('/') ? name.slice(1, -1) : undefined
}

/** A grant as it is shown: its query is a text, and it says whether it reaches restricted indices. */
function shownGrant<Grant extends RoleIndexGrant>({ query, ...grant }: Grant) {
  const shown = query === undefined || query === null ? {} : { query: queryText(query) }
  return { ...grant, ...shown, allow_restricted_indices: grant.allow_restricted_indices ?? false }
}

/** The query of a role as the text that it is shown as. */
export function queryText(query: unknown): string {
  return typeof query === 'string' ? query : JSON.stringify(query)
}

/** A role as it is shown. */
export function shownRole(role: Role): Role {
  const { indices, remote_indices: remote, ...rest } = role
  return {
    ...rest,
    indices: indices.map(shownGrant),
    ...(remote === undefined ? {} : { remote_indices: remote.map(shownGrant) }),
  }
}
