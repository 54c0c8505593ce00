import { defineRoute, type Route } from '../define-route.ts'

/** Where scripts run, and what they are given: the parameters of `execute` after the script's own. */
const contexts: Readonly<
  Record<string, { readonly returns: string; readonly getters: Readonly<Record<string, string>> }>
> = {
  aggs: { returns: 'java.lang.Object', getters: { getDoc: 'java.util.Map', getParams: 'java.util.Map' } },
  bucket_aggregation: { returns: 'java.lang.Number', getters: { getParams: 'java.util.Map' } },
  bucket_selector: { returns: 'boolean', getters: { getParams: 'java.util.Map' } },
  field: { returns: 'java.lang.Object', getters: { getDoc: 'java.util.Map', getParams: 'java.util.Map' } },
  filter: { returns: 'boolean', getters: { getDoc: 'java.util.Map', getParams: 'java.util.Map' } },
  ingest: { returns: 'void', getters: { getCtx: 'java.util.Map', getParams: 'java.util.Map' } },
  moving_function: { returns: 'double', getters: { getParams: 'java.util.Map' } },
  processor_conditional: { returns: 'boolean', getters: { getParams: 'java.util.Map' } },
  reindex: { returns: 'void', getters: { getCtx: 'java.util.Map', getParams: 'java.util.Map' } },
  update: { returns: 'void', getters: { getCtx: 'java.util.Map', getParams: 'java.util.Map' } },
  update_by_query: { returns: 'void', getters: { getCtx: 'java.util.Map', getParams: 'java.util.Map' } },
}

const getContexts = defineRoute({
  name: 'get_script_context',
  methods: ['GET'],
  paths: ['/_script_context'],
  privilege: { cluster: 'manage' },
  parameters: {},
  async handle() {
    const shown = Object.entries(contexts).map(([name, { returns, getters }]) => ({
      name,
      methods: [
        { name: 'execute', return_type: returns, params: [] },
        ...Object.entries(getters).map(([getter, type]) => ({ name: getter, return_type: type, params: [] })),
      ],
    }))
    return { json: { contexts: shown } }
  },
})

const getLanguages = defineRoute({
  name: 'get_script_languages',
  methods: ['GET'],
  paths: ['/_script_language'],
  privilege: { cluster: 'manage' },
  parameters: {},
  async handle() {
    const painless = { language: 'painless', contexts: Object.keys(contexts) }
    return { json: { types_allowed: ['inline', 'stored'], language_contexts: [painless] } }
  },
})

/** What languages scripts have, and where they run. */
export const scriptContextRoutes: readonly Route[] = [getContexts, getLanguages]
