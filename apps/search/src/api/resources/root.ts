import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineRoute } from '../define-route.ts'

// The build is the program file itself: its bytes and the time it was written.
const program = fileURLToPath(import.meta.url)

/** The version search answers with: the API it speaks, never the product's own (clients refuse a server older than themselves). */
export const apiVersion = {
  number: '8.19.2',
  build_flavor: 'default',
  build_type: 'logstack',
  build_hash: createHash('sha1').update(readFileSync(program)).digest('hex'),
  build_date: statSync(program).mtime.toISOString(),
  build_snapshot: false,
  lucene_version: '9.12.2',
  minimum_wire_compatibility_version: '7.17.0',
  minimum_index_compatibility_version: '7.0.0',
} as const

/** The cluster's name, in every answer that has one. */
export const clusterName = 'logstack'

/** `GET /` and `HEAD /`: who answers. */
export const rootRoute = defineRoute({
  name: 'info',
  methods: ['GET', 'HEAD'],
  paths: ['/'],
  privilege: { cluster: 'monitor' },
  parameters: {},
  async handle(_request, { nodeName, catalogue }) {
    const json = {
      name: nodeName,
      cluster_name: clusterName,
      cluster_uuid: catalogue.clusterUuid,
      version: apiVersion,
      tagline: 'You Know, for Search',
    }
    return { json }
  },
})
