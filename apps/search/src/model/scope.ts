/** Who is asking. */
export interface Principal {
  readonly username: string
  readonly roles: readonly string[]
  readonly realm: 'native' | 'reserved' | 'token' | 'api_key' | 'service'
  /** Of a service: the name of the token it came with. */
  readonly tokenName?: string
  /** Of an API key, whose `username` is that of its owner: which key. It has no roles, but privileges. */
  readonly apiKey?: {
    readonly id: string
    readonly name: string
    readonly metadata: Readonly<Record<string, unknown>>
    /** The realm of the owner. */
    readonly ownerRealm: 'native' | 'reserved'
  }
  /** Who acts as this user. */
  readonly runBy?: Principal
  /** Whether the user is one of those that are built in. */
  readonly isReserved?: boolean
  /** What is known of a user, for roles whose queries ask for it. */
  readonly details?: {
    readonly fullName?: string | undefined
    readonly email?: string | undefined
    readonly metadata?: Readonly<Record<string, unknown>>
  }
}

/** Whether no role reaches an index of that name without `allow_restricted_indices`: the stack's own state. */
export function isRestricted(index: string): boolean {
  return /^\.(logstack|security)(-|$)/.test(index)
}

/** Whose something is that only its maker finds: a key's things are not its owner's, nor those of another key. */
export function identityOf({ username, apiKey }: Principal): string {
  return apiKey ? `_es_api_key/${apiKey.id}` : username
}

/**
 * What one request may reach; no plan is made without one. The wide scope exists only for the product's own work inside search.
 * `indices` answers for concrete index names; a document filter is a query in the DSL that every search of that index is and-ed with.
 */
export interface Scope {
  readonly principal: Principal
  /** `privilege` is the name of one, or of an action. */
  hasCluster(privilege: string): boolean
  hasIndex(privilege: string, index: string): boolean
  /** Whether there may be an index on which it is held; absent means yes. */
  hasAnyIndex?(privilege: string): boolean
  /** Absent means no. */
  hasApplication?(privilege: string, application: string, resource: string): boolean
  /** Whether it may act as that user, who need not exist; absent means no. */
  mayRunAs?(username: string): boolean
  documentFilters(index: string): readonly unknown[]
  /** Whether a field may be seen in that index; hidden ones behave as if unmapped. */
  canSeeField(index: string, path: string): boolean
  /** Whether mappings show a field of that index, whose documents the caller need not be allowed to read; absent means yes. */
  canSeeFieldName?(index: string, path: string): boolean
  /** Whether any name of a field may be hidden; absent means no. */
  limitsFieldNames?(index: string): boolean
  /** Whether any field of the index may be hidden; absent means no. Saves asking field by field. */
  limitsFields?(index: string): boolean
}
