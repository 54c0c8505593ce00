import { z } from 'zod'

/** Options of rule types that can let search count: `use_terms_query` splits by `query_key`. */
export const countOptions = {
  use_count_query: z.boolean().default(false),
  use_terms_query: z.boolean().default(false),
  terms_size: z.number().int().min(1).max(10_000).default(50),
  /** ElastAlert 5's document type; Elasticsearch knows none any more. */
  doc_type: z.string().optional(),
} as const
