import type { PartName } from './parts.ts'

/** An index privilege grant, in the shape of Elasticsearch's role API. */
export interface IndexGrant {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  readonly allow_restricted_indices?: boolean
}

/** A service account: the user a part logs in to search as, and the least role that lets it do its work. The secret's name is the account's. */
export interface ServiceAccount {
  readonly part: PartName
  readonly username: string
  readonly role: {
    readonly name: string
    readonly cluster: readonly string[]
    readonly indices: readonly IndexGrant[]
  }
}

const own = (...names: string[]): IndexGrant => ({ names, privileges: ['all'], allow_restricted_indices: true })

/**
 * The service accounts. The operator creates users and roles through search's API with the administrator's rights. What a person does in
 * the dashboard is done with that person's token; the dashboard's account keeps saved objects, and renews and ends tokens.
 */
export const serviceAccounts: readonly ServiceAccount[] = [
  {
    part: 'dashboard',
    username: 'logstack_dashboard',
    role: {
      name: 'logstack_dashboard',
      // Who logs out must leave no token behind.
      cluster: ['monitor', 'manage_token'],
      indices: [own('.logstack-saved-objects*')],
    },
  },
  {
    part: 'endpoint-manager',
    username: 'logstack_endpoint_manager',
    role: {
      name: 'logstack_endpoint_manager',
      cluster: ['monitor'],
      indices: [
        {
          names: ['logs-*', 'metrics-*', 'endpoint-*'],
          privileges: ['auto_configure', 'create_doc', 'view_index_metadata'],
        },
        // What hosts have now and how their checks ended: documents that are replaced and removed.
        { names: ['endpoint-inventory', 'endpoint-vulnerabilities'], privileges: ['read', 'index', 'delete'] },
        {
          // Agents, and the tokens that hosts enrol with.
          names: ['.logstack-agents*', '.logstack-enrolment-tokens*', '.logstack-advisories*'],
          privileges: ['read'],
          allow_restricted_indices: true,
        },
        own('.logstack-inventory*', '.logstack-detections*', '.logstack-wazuh*'),
        // Alerts of rules that look at events as they come in; it neither reads nor changes those of others.
        {
          names: ['.logstack-alerts'],
          privileges: ['create_index', 'create_doc', 'view_index_metadata'],
          allow_restricted_indices: true,
        },
      ],
    },
  },
  {
    part: 'agent-server',
    username: 'logstack_agent_server',
    role: {
      name: 'logstack_agent_server',
      cluster: ['monitor'],
      indices: [
        own(
          '.logstack-agents*',
          '.logstack-policies*',
          '.logstack-enrolment-tokens*',
          '.logstack-actions*',
          '.logstack-agent-server*',
        ),
      ],
    },
  },
  {
    part: 'alerter',
    username: 'logstack_alerter',
    role: {
      name: 'logstack_alerter',
      cluster: ['monitor'],
      indices: [
        // Elasticsearch asks for monitor to tell checkpoints and for maintenance to refresh.
        { names: ['*'], privileges: ['read', 'view_index_metadata', 'monitor', 'maintenance'] },
        // Rules may look at the stack's own health.
        {
          names: ['.logstack-health*'],
          privileges: ['read', 'view_index_metadata', 'monitor', 'maintenance'],
          allow_restricted_indices: true,
        },
        own('.logstack-alerts*', '.logstack-alerter-state*'),
      ],
    },
  },
]

/** The account of a part; search itself has none. */
export function accountOf(part: PartName): ServiceAccount {
  const account = serviceAccounts.find((candidate) => candidate.part === part)
  if (!account) throw new Error(`BUG: ${part} has no service account`)
  return account
}
