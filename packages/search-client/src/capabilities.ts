import { z } from 'zod'

/** What the server at `{search_url}` is and can do; the other parts ask this instead of the product's name. */
export interface ServerCapabilities {
  readonly product: 'logstack' | 'elasticsearch' | 'opensearch'
  readonly version: string
  /** `POST /_security/oauth2/token` hands out short-lived tokens. */
  readonly sessionTokens: boolean
  /** Where users and roles are kept. */
  readonly securityPath: '/_security' | '/_plugins/_security/api'
  /** `GET /{index}/_fleet/global_checkpoints` tells how far an index may be read without a hole. */
  readonly globalCheckpoints: boolean
}

const rootSchema = z.object({
  tagline: z.string().optional(),
  version: z.object({
    number: z.string(),
    distribution: z.string().optional(),
    build_flavor: z.string().optional(),
    build_type: z.string().optional(),
  }),
})

/** Reads the root answer of a server. Ours says `build_type: logstack`; OpenSearch says `distribution: opensearch`. */
export function capabilitiesOf(root: unknown): ServerCapabilities {
  const { version } = rootSchema.parse(root)
  if (version.distribution === 'opensearch') {
    return {
      product: 'opensearch',
      version: version.number,
      sessionTokens: false,
      securityPath: '/_plugins/_security/api',
      globalCheckpoints: false,
    }
  }
  const product = version.build_type === 'logstack' ? 'logstack' : 'elasticsearch'
  return { product, version: version.number, sessionTokens: true, securityPath: '/_security', globalCheckpoints: true }
}
