/** What a role grants on some indices, as the form holds it. */
export interface GrantForm {
  /** Of this form only: React's key. */
  readonly key: number
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  /** The documents that may be read, as JSON of a query; empty for all. */
  readonly query: string
  /** Fields that may be read; none for all. */
  readonly granted: readonly string[]
  /** Fields that may not, of those. */
  readonly denied: readonly string[]
  /** What search said of it, for the keys that the form does not show. */
  readonly before: Body
}

/** A role as the form holds it. */
export interface RoleForm {
  readonly name: string
  readonly description: string
  readonly cluster: readonly string[]
  readonly runAs: readonly string[]
  readonly grants: readonly GrantForm[]
}

type Body = Readonly<Record<string, unknown>>

/** A grant that says nothing yet. */
export function emptyGrant(key: number): GrantForm {
  return { key, names: [], privileges: [], query: '', granted: [], denied: [], before: {} }
}

/** The form of a role as search shows it; of a new one without a body. */
export function roleForm(name: string, body: Body = {}): RoleForm {
  const indices = Array.isArray(body['indices']) ? (body['indices'] as Body[]) : []
  return {
    name,
    description: String(body['description'] ?? ''),
    cluster: textsOf(body['cluster']),
    runAs: textsOf(body['run_as']),
    grants: indices.map((grant, key) => grantForm(grant, key)),
  }
}

function grantForm(grant: Body, key: number): GrantForm {
  const fields = (grant['field_security'] ?? {}) as Body
  const query = grant['query']
  return {
    key,
    names: textsOf(grant['names']),
    privileges: textsOf(grant['privileges']),
    query: query === undefined ? '' : typeof query === 'string' ? query : JSON.stringify(query),
    granted: textsOf(fields['grant']),
    denied: textsOf(fields['except']),
    before: grant,
  }
}

/** What keeps a role from being saved. */
export function roleProblem({ name, grants }: RoleForm): string | undefined {
  if (name === '') return 'Say a name.'
  const isHalf = grants.some(({ names, privileges }) => names.length === 0 || privileges.length === 0)
  return isHalf ? 'Every grant needs indices and privileges.' : undefined
}

/** The body that stores the role, with whatever it had that the form does not show. */
export function roleBody(form: RoleForm, before: Body = {}): Body {
  const { description: _description, ...kept } = before
  return {
    ...kept,
    cluster: form.cluster,
    run_as: form.runAs,
    indices: form.grants.map(grantBody),
    ...(form.description === '' ? {} : { description: form.description }),
  }
}

function grantBody({ before, names, privileges, query, granted, denied }: GrantForm): Body {
  const { query: _query, field_security: _fields, ...kept } = before
  const isLimited = granted.length > 0 || denied.length > 0
  // What is denied is denied of what is granted, so something must be.
  const fields = { grant: granted.length > 0 ? granted : ['*'], ...(denied.length > 0 ? { except: denied } : {}) }
  return {
    ...kept,
    names,
    privileges,
    ...(query.trim() === '' ? {} : { query: query.trim() }),
    ...(isLimited ? { field_security: fields } : {}),
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
