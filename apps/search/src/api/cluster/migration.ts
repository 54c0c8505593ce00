import type { KeptSettings } from '../../cluster-settings/change.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'

interface Issue {
  readonly level: 'warning' | 'critical'
  readonly message: string
  readonly details: string
  readonly resolve_during_rolling_upgrade: boolean
}

/** What of the cluster's settings a next version would not take. */
function settingIssues({ catalogue }: Services): readonly Issue[] {
  const kept = catalogue.collection<KeptSettings>('cluster_settings')
  const transient = Object.keys(kept.get('transient') ?? {})
  const archived = ['persistent', 'transient'].flatMap((kind) =>
    Object.keys(kept.get(kind) ?? {}).filter((name) => name.startsWith('archived.')),
  )
  const issue = (message: string, details: string): Issue => ({
    level: 'warning',
    message,
    details,
    resolve_during_rolling_upgrade: false,
  })
  return [
    ...(transient.length === 0
      ? []
      : [
          issue(
            'Transient cluster settings are deprecated',
            `Use persistent settings to configure your cluster: ${transient.join(', ')}`,
          ),
        ]),
    ...(archived.length === 0
      ? []
      : [issue('Settings are archived', `They are not known any more and can be removed: ${archived.join(', ')}`)]),
  ]
}

const deprecations = defineRoute({
  name: 'migration.deprecations',
  methods: ['GET'],
  paths: ['/_migration/deprecations', '/{index}/_migration/deprecations'],
  privilege: { cluster: 'manage' },
  parameters: { ...indicesOptionParameters, master_timeout: 'time' },
  async handle(request, services) {
    // About the cluster, so that its privilege is enough. A name that leads nowhere is an error all the same.
    const options = resolveOptions(request.query, { expand: ['open', 'closed', 'hidden'] })
    services.catalogue.resolve(request.params['index'] ?? '_all', options)
    return {
      json: {
        cluster_settings: settingIssues(services),
        node_settings: [],
        index_settings: {},
        data_streams: {},
        templates: {},
        ilm_policies: {},
        ml_settings: [],
      },
    }
  },
})

const systemFeatures = defineRoute({
  name: 'migration.get_feature_upgrade_status',
  methods: ['GET'],
  paths: ['/_migration/system_features'],
  privilege: { cluster: 'manage' },
  parameters: { master_timeout: 'time' },
  // The stack keeps its own state below the indices or in indices of its own: there are no system indices of an older form.
  handle: async () => ({ json: { features: [], migration_status: 'NO_MIGRATION_NEEDED' } }),
})

const upgradeFeatures = defineRoute({
  name: 'migration.post_feature_upgrade',
  methods: ['POST'],
  paths: ['/_migration/system_features'],
  privilege: { cluster: 'manage' },
  parameters: { master_timeout: 'time' },
  handle: async () => ({ json: { accepted: false, reason: 'No system indices require migration' } }),
})

const features = defineRoute({
  name: 'features.get_features',
  methods: ['GET'],
  paths: ['/_features'],
  privilege: { cluster: 'manage' },
  parameters: { master_timeout: 'time' },
  // What `feature_states` of a snapshot may name: snapshots refuse all of them.
  handle: async () => ({ json: { features: [] } }),
})

/** What stands in the way of a next version, and the features whose state is kept apart. */
export const migrationRoutes: readonly Route[] = [deprecations, systemFeatures, upgradeFeatures, features]
