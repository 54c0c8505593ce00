import { AppError, agentsErrors } from '@logstack/errors'
import { createApiKey, keyMatches, readApiKey } from '@logstack/passwords/api-key'
import type { StateIndex } from '../state-index.ts'

/** An enrolment token as it is kept: its key only as a hash. */
export interface EnrolmentToken {
  readonly name: string
  readonly policy_id: string
  readonly active: boolean
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string
  readonly key_sha256: string
}

/** Enrolment tokens: made and revoked by administrators, used by agents until they expire. */
export class EnrolmentTokens {
  readonly #index: StateIndex<EnrolmentToken>
  readonly #now: () => number
  /** Tokens that search is being asked for. */
  readonly #asked = new Map<string, Promise<EnrolmentToken | undefined>>()

  constructor(index: StateIndex<EnrolmentToken>, now: () => number) {
    this.#index = index
    this.#now = now
  }

  /** Makes a token; `apiKey` is shown here and never again. */
  async make(options: { name: string; policyId: string; createdBy: string; lifetimeMs: number }) {
    const key = createApiKey()
    const token: EnrolmentToken = {
      name: options.name,
      policy_id: options.policyId,
      active: true,
      created_at: new Date(this.#now()).toISOString(),
      created_by: options.createdBy,
      expires_at: new Date(this.#now() + options.lifetimeMs).toISOString(),
      key_sha256: key.sha256,
    }
    await this.#index.put(key.id, token)
    return { id: key.id, apiKey: key.encoded, token }
  }

  /** The token of an `Authorization` header; throws `enrolment_token_invalid` without saying which of the reasons it is. */
  async authenticate(header: string | undefined): Promise<EnrolmentToken> {
    const given = readApiKey(header)
    const token = given ? await this.#read(given.id) : undefined
    if (given && token && this.isValid(token) && keyMatches(given.key, token.key_sha256)) return token
    throw new AppError(agentsErrors.enrolment_token_invalid, 'the enrolment token is unknown, expired or revoked', {
      fix: 'make a new one in the dashboard, at Add agent',
    })
  }

  /** Whoever comes while a token is being read waits for the same answer: thousands of hosts enrol with one. */
  #read(id: string): Promise<EnrolmentToken | undefined> {
    const asked = this.#asked.get(id)
    if (asked !== undefined) return asked
    const token = this.#index.get(id).finally(() => this.#asked.delete(id))
    this.#asked.set(id, token)
    return token
  }

  isValid(token: EnrolmentToken): boolean {
    return token.active && Date.parse(token.expires_at) > this.#now()
  }

  list(size: number): Promise<{ id: string; document: EnrolmentToken }[]> {
    return this.#index.list(size)
  }

  async find(id: string): Promise<EnrolmentToken> {
    const token = await this.#index.get(id)
    if (token) return token
    throw new AppError(agentsErrors.agent_not_found, `no enrolment token [${id}]`)
  }

  /** Revokes a token for good; agents enrolled with it stay. */
  async revoke(id: string): Promise<void> {
    const token = await this.find(id)
    await this.#index.put(id, { ...token, active: false })
  }
}
