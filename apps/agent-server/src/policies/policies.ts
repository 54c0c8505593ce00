import { EventEmitter } from 'node:events'
import type { AgentPolicy, PolicyInput } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import type { StateIndex } from '../state-index.ts'
import { defaultCollectPaths, defaultInputs, defaultPolicyId, shippedPolicyVersion } from './default-policy.ts'

/** A policy as it is kept. */
export interface StoredPolicy {
  readonly name: string
  readonly revision: number
  /** The version of the shipped policy it follows; 0 once somebody edited it. */
  readonly shipped_version: number
  readonly updated_at: string
  readonly inputs: readonly PolicyInput[]
  readonly endpoint_hosts: readonly string[]
  /** Files that may be collected from hosts; the shipped ones when absent. */
  readonly collect_paths?: readonly string[]
}

/** Addresses that go into every policy. */
export interface PolicyAddresses {
  /** Where agents send events. */
  readonly endpointHosts: readonly string[]
  /** Where agents check in. */
  readonly fleetHosts: readonly string[]
}

/** What an administrator can change of a policy; what is left out stays. */
export type PolicyChange = Pick<StoredPolicy, 'name' | 'inputs'> & {
  readonly collect_paths?: readonly string[] | undefined
}

/** A policy to be made: what it has in common with the one it is made from is left out. */
export interface NewPolicy {
  readonly name: string
  readonly copyOf: string
  readonly inputs?: readonly PolicyInput[] | undefined
  readonly collect_paths?: readonly string[] | undefined
}

function switchedOn<T extends { readonly enabled?: boolean | undefined }>(all: readonly T[]): T[] {
  return all.filter(({ enabled }) => enabled !== false)
}

/** The policies and their revisions. Emits `changed` with a policy's id after a new revision is stored. */
export class Policies extends EventEmitter<{ changed: [string] }> {
  readonly #index: StateIndex<StoredPolicy>
  readonly #now: () => number
  readonly #policies = new Map<string, StoredPolicy>()
  readonly #changes = new Map<string, { readonly revision: number; readonly json: Buffer }>()
  #addresses: PolicyAddresses = { endpointHosts: [], fleetHosts: [] }

  constructor(index: StateIndex<StoredPolicy>, now: () => number) {
    super()
    this.#index = index
    this.#now = now
  }

  /** Reads all policies, makes the default one, and raises the revision of those that hand out other addresses than now. */
  async load(addresses: PolicyAddresses): Promise<void> {
    this.#addresses = addresses
    for (const { id, document } of await this.#index.list(1000)) this.#policies.set(id, document)
    const standing = this.#policies.get(defaultPolicyId)
    if (!standing || (standing.shipped_version !== 0 && standing.shipped_version !== shippedPolicyVersion)) {
      await this.#store(defaultPolicyId, {
        name: 'Default policy',
        shipped_version: shippedPolicyVersion,
        inputs: defaultInputs,
      })
    }
    for (const [id, policy] of this.#policies) {
      const isSame = JSON.stringify(policy.endpoint_hosts) === JSON.stringify(addresses.endpointHosts)
      if (!isSame) await this.#store(id, policy)
    }
  }

  list(): { id: string; policy: StoredPolicy }[] {
    return [...this.#policies].map(([id, policy]) => ({ id, policy }))
  }

  /** The policy; throws `agent_not_found`. */
  get(id: string): StoredPolicy {
    const policy = this.#policies.get(id)
    if (policy) return policy
    throw new AppError(agentsErrors.agent_not_found, `no agent policy [${id}]`)
  }

  /** Makes a policy; throws `agent_policy_exists`. What is left out is as in the policy `copyOf`. */
  async create(id: string, wanted: NewPolicy): Promise<StoredPolicy> {
    const { inputs, collect_paths } = this.get(wanted.copyOf)
    if (this.#policies.has(id)) throw new AppError(agentsErrors.agent_policy_exists, `there is an agent policy [${id}]`)
    const paths = wanted.collect_paths ?? collect_paths
    return this.#store(id, {
      name: wanted.name,
      inputs: wanted.inputs ?? inputs,
      ...(paths ? { collect_paths: paths } : {}),
      shipped_version: 0,
    })
  }

  /** Deletes a policy that no agent has. */
  async remove(id: string): Promise<void> {
    this.get(id)
    if (id === defaultPolicyId) throw new AppError(agentsErrors.agent_policy_in_use, 'the default policy stays')
    await this.#index.remove(id)
    this.#policies.delete(id)
    this.#changes.delete(id)
  }

  /**
   * Stores other inputs as a new revision and tells the agents that wait. Throws `agent_policy_changed` when the change was made of an older revision
   * than the last one.
   */
  async update(id: string, change: PolicyChange, madeOf?: number): Promise<StoredPolicy> {
    const { revision, collect_paths: before } = this.get(id)
    if (madeOf !== undefined && madeOf !== revision)
      throw new AppError(
        agentsErrors.agent_policy_changed,
        `the policy [${id}] has revision ${revision} by now, the change was made of revision ${madeOf}: read it again`,
      )
    const collect_paths = change.collect_paths ?? before
    const kept = collect_paths ? { collect_paths } : {}
    return this.#store(id, { name: change.name, inputs: change.inputs, ...kept, shipped_version: 0 })
  }

  /** The policy as agents get it: without what is switched off. */
  render(id: string): AgentPolicy {
    const { revision, inputs, collect_paths } = this.get(id)
    const { endpointHosts, fleetHosts } = this.#addresses
    return {
      id,
      revision,
      outputs: { default: { type: 'logstack', hosts: [...endpointHosts] } },
      inputs: switchedOn(inputs).map((input) => ({ ...input, streams: switchedOn(input.streams) })),
      fleet: { hosts: [...fleetHosts] },
      collect_paths: [...(collect_paths ?? defaultCollectPaths)],
    }
  }

  /** What a `POLICY_CHANGE` says of the policy, `{"policy":…}`, as JSON; written once for a revision, as thousands of agents get it at one time. */
  changeJson(id: string): Buffer {
    const { revision } = this.get(id)
    const known = this.#changes.get(id)
    if (known?.revision === revision) return known.json
    const json = Buffer.from(JSON.stringify({ policy: this.render(id) }))
    this.#changes.set(id, { revision, json })
    return json
  }

  async #store(
    id: string,
    content: Pick<StoredPolicy, 'name' | 'shipped_version' | 'inputs' | 'collect_paths'>,
  ): Promise<StoredPolicy> {
    const policy: StoredPolicy = {
      name: content.name,
      shipped_version: content.shipped_version,
      inputs: content.inputs,
      revision: (this.#policies.get(id)?.revision ?? 0) + 1,
      updated_at: new Date(this.#now()).toISOString(),
      endpoint_hosts: this.#addresses.endpointHosts,
      ...(content.collect_paths ? { collect_paths: content.collect_paths } : {}),
    }
    await this.#index.put(id, policy)
    this.#policies.set(id, policy)
    this.emit('changed', id)
    return policy
  }
}
