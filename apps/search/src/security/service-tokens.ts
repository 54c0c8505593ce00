import { AppError, searchErrors } from '@logstack/errors'
import { generateToken, secretsEqual } from '@logstack/passwords'
import type { Scope } from '../model/scope.ts'
import type { Collection, Store } from '../store/store.ts'
import { type AliasesOf, scopeOfRoles } from './role-scope.ts'
import { serviceAccounts } from './service-accounts.ts'
import { hashOfToken } from './tokens.ts'

interface ServiceTokenRecord {
  readonly account: string
  readonly name: string
  readonly hash: string
  readonly createdAtMs: number
}

/** Bytes that every service token begins with, so that it is told from the token of a session. */
const mark = Buffer.from([0, 1, 0, 1])
const tokensMax = 1_000
// No token has this hash: a name that is not there takes as long to refuse as one that is.
const nobodysHash = hashOfToken('')

/** Tokens of service accounts: they do not expire, and end when they are deleted. */
export interface ServiceTokens {
  /** Whose token this is; undefined for one that is none, or is not known. */
  scope(token: string): Scope | undefined
  /** The token, which is shown once. Throws for an account that does not exist, and 409 for a name that is taken. */
  create(account: string, name: string): Promise<string>
  names(account: string): string[]
  /** True when there was one. */
  remove(account: string, name: string): Promise<boolean>
}

/** Makes the token store over the catalogue's. */
export function createServiceTokens(store: Store, now: () => number, aliasesOf?: AliasesOf): ServiceTokens {
  const records: Collection<ServiceTokenRecord> = store.collection('security_service_token')
  const keyOf = (account: string, name: string): string => `${account}/${name}`
  return {
    scope(token) {
      const bytes = Buffer.from(token, 'base64')
      if (!bytes.subarray(0, mark.length).equals(mark)) return undefined
      const [path = '', secret = ''] = split(bytes.subarray(mark.length).toString('utf8'))
      const record = records.get(path)
      const role = record && serviceAccounts[record.account]
      const isRight = secretsEqual(hashOfToken(secret), record?.hash ?? nobodysHash)
      if (!(record && role && isRight)) return undefined
      const principal = { username: record.account, roles: [], realm: 'service', tokenName: record.name } as const
      return scopeOfRoles(principal, [role], aliasesOf)
    },
    async create(account, name) {
      requireAccount(account)
      if (!/^(?!_)[\w-]{1,256}$/.test(name)) {
        const reason = `invalid service token name [${name}]. service account token name must have at least 1 character and at most 256 characters that are alphanumeric (A-Z, a-z, 0-9) or hyphen (-) or underscore (_). It must not begin with an underscore (_).`
        throw new AppError(searchErrors.action_request_validation_exception, `Validation Failed: 1: ${reason};`)
      }
      const secret = generateToken(16)
      const record = { account, name, hash: hashOfToken(secret), createdAtMs: now() }
      await store.transaction(() => {
        if (records.get(keyOf(account, name)))
          throw new AppError(
            searchErrors.version_conflict_engine_exception,
            `[service_account_token-${keyOf(account, name)}]: version conflict, document already exists`,
          )
        if (records.firstKeys(tokensMax).length >= tokensMax)
          throw new AppError(searchErrors.illegal_argument_exception, `there are [${tokensMax}] service tokens already`)
        records.put(keyOf(account, name), record)
      })
      return Buffer.concat([mark, Buffer.from(`${keyOf(account, name)}:${secret}`)]).toString('base64')
    },
    names(account) {
      requireAccount(account)
      return [...records.entries()].flatMap(([, record]) => (record.account === account ? [record.name] : []))
    },
    async remove(account, name) {
      if (records.get(keyOf(account, name)) === undefined) return false
      await store.transaction(() => records.remove(keyOf(account, name)))
      return true
    },
  }
}

function split(text: string): [string, string] {
  const at = text.indexOf(':')
  return at < 0 ? ['', ''] : [text.slice(0, at), text.slice(at + 1)]
}

function requireAccount(account: string): void {
  if (Object.hasOwn(serviceAccounts, account)) return
  throw new AppError(searchErrors.illegal_argument_exception, `service account [${account}] does not exist`)
}
