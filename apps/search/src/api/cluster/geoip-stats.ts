import { pipelineSources } from '../../ingest/pipelines.ts'
import { defineRoute, type Route } from '../define-route.ts'

/** `GET /_ingest/geoip/stats`: which databases of places there are. They are the operator's files; none is ever downloaded. */
export const geoipStatsRoute: Route = defineRoute({
  name: 'ingest.geo_ip_stats',
  methods: ['GET'],
  paths: ['/_ingest/geoip/stats'],
  privilege: { cluster: 'monitor' },
  parameters: {},
  async handle(_request, { catalogue }) {
    const names = pipelineSources(catalogue).databases.names()
    const node = { databases: names.map((name) => ({ name })), files_in_temp: [], config_databases: names }
    return {
      json: {
        stats: {
          successful_downloads: 0,
          failed_downloads: 0,
          total_download_time: 0,
          databases_count: names.length,
          skipped_updates: 0,
          expired_databases: 0,
        },
        nodes: names.length === 0 ? {} : { [catalogue.clusterUuid]: node },
      },
    }
  },
})
