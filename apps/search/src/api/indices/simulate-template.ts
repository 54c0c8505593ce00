import { AppError, searchErrors } from '@logstack/errors'
import { shownIndexSettings } from '../../indices/settings.ts'
import type { SimulatedTemplate } from '../../indices/templates.ts'
import { isObject } from '../../json/json-object.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteAnswer } from '../define-route.ts'
import { nestedSettings, shownAliases } from '../resources/show-index.ts'
import { checkTemplateKeys } from './templates.ts'

const parameters = {
  create: 'boolean',
  cause: 'string',
  master_timeout: 'time',
  cluster_manager_timeout: 'time',
  include_defaults: 'boolean',
} as const
const privilege = { cluster: 'manage_index_templates' } as const

function templateOf(request: { json(): unknown }): Readonly<Record<string, unknown>> | undefined {
  const body = request.json()
  if (body === undefined) return undefined
  if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, '[index_template] expects an object')
  checkTemplateKeys(body)
  return body
}

/** What a template makes of a new index, and which templates it beats. */
function show(simulated: SimulatedTemplate): RouteAnswer {
  const { settings, mappings, aliases, overlapping } = simulated
  const template = {
    settings: nestedSettings(shownIndexSettings(settings)),
    mappings,
    aliases: shownAliases(aliases),
  }
  return { json: { template, overlapping } }
}

const simulateIndex = defineRoute({
  name: 'indices.simulate_index_template',
  methods: ['POST'],
  paths: ['/_index_template/_simulate_index/{name}'],
  privilege,
  parameters,
  async handle(request, { catalogue }: Services) {
    const name = request.params['name'] ?? ''
    const simulated = catalogue.simulateTemplate({ index: name, added: templateOf(request) })
    // Nothing matches: there is nothing to show.
    return simulated ? show(simulated) : { json: {} }
  },
})

const simulateTemplate = defineRoute({
  name: 'indices.simulate_template',
  methods: ['POST'],
  paths: ['/_index_template/_simulate', '/_index_template/_simulate/{name}'],
  privilege,
  parameters,
  async handle(request, { catalogue }: Services) {
    const name = request.params['name']
    const body = templateOf(request)
    if (name === undefined && body === undefined) {
      throw new AppError(searchErrors.illegal_argument_exception, 'a template is required: its name or its body')
    }
    const simulated = catalogue.simulateTemplate({ template: name, added: body })
    if (!simulated) {
      const reason = `unable to simulate template [${name}] that does not exist`
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    return show(simulated)
  },
})

/** What templates would make, without making it. */
export const simulateTemplateRoutes: readonly Route[] = [simulateIndex, simulateTemplate]
