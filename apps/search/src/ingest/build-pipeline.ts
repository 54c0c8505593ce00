import { AppError, searchErrors } from '@logstack/errors'
import { compileConditionScript, compileScript } from '../painless/script.ts'
import type { Building, Pipeline, PipelineSources, ProcessorType, Step } from './define-processor.ts'
import { javaType } from './ingest-document.ts'
import { ProcessorConfig } from './processor-config.ts'
import { missingProcessors, processorTypes } from './processors/index.ts'
import { runPipeline, runSteps } from './run-steps.ts'

const types = new Map<string, ProcessorType>(processorTypes.map((type) => [type.type, type]))
const pipelineKeys = ['processors', 'on_failure', 'description', 'version', '_meta', 'deprecated']

type Dictionary = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fault(property: string, reason: string): AppError {
  return new AppError(searchErrors.parse_exception, `[${property}] ${reason}`, { detail: { property_name: property } })
}

/** Builds a pipeline from its definition. Throws `parse_exception` that names the processor and the option, or `script_exception`. */
export function buildPipeline(id: string, definition: Dictionary, sources: PipelineSources): Pipeline {
  const building = buildingWith(sources)
  const { processors, on_failure: onFailure } = definition
  if (processors === undefined) throw fault('processors', 'required property is missing')
  const steps = listOf(definition, 'processors').map(building.step)
  const handlers = listOf(definition, 'on_failure').map(building.step)
  if (onFailure !== undefined && handlers.length === 0) throw fault('on_failure', 'processors list cannot be empty')
  const { version } = definition
  if (version !== undefined && version !== null && !/^-?\d+$/.test(String(version))) {
    throw fault('version', `property cannot be converted to an int [${String(version)}]`)
  }
  const unknown = Object.keys(definition).filter((key) => !pipelineKeys.includes(key))
  if (unknown.length > 0) {
    throw new AppError(
      searchErrors.parse_exception,
      `pipeline [${id}] doesn't support one or more provided configuration parameters [${unknown.join(', ')}]`,
    )
  }
  return { id, steps, onFailure: handlers }
}

function listOf(definition: Dictionary, property: string): readonly unknown[] {
  const list = definition[property]
  if (list === undefined) return []
  if (Array.isArray(list)) return list
  throw fault(property, `property isn't a list, but of type [${javaType(list)}]`)
}

function buildingWith({ scripts, databases, enrich }: PipelineSources): Building {
  const building: Building = {
    databases,
    enrich,
    compileScript: (script) => compileScript(script, scripts),
    compileCondition: (script) => compileConditionScript(script, scripts),
    step: (entry) => buildStep(entry, building),
    runSteps,
    runPipeline,
  }
  return building
}

function buildStep(entry: unknown, building: Building): Step {
  const [named] = isObject(entry) ? Object.entries(entry) : []
  if (!named) throw new AppError(searchErrors.parse_exception, 'a processor is an object with its type as the one key')
  const [name, given] = named
  const type = types.get(name)
  const options = isObject(given)
    ? given
    : name === 'script' && typeof given === 'string'
      ? { source: given }
      : undefined
  if (!type || !options) {
    throw new AppError(
      searchErrors.parse_exception,
      type ? `property isn't a map, but of type [${javaType(given)}]` : unknownType(name),
      { detail: { processor_type: name } },
    )
  }
  const config = new ProcessorConfig(name, options)
  return finishStep(type, config, building)
}

function unknownType(name: string): string {
  const reason = Object.hasOwn(missingProcessors, name) ? missingProcessors[name] : undefined
  return `No processor type exists with name [${name}]${reason === undefined ? '' : `: ${reason}`}`
}

function finishStep(type: ProcessorType, config: ProcessorConfig, building: Building): Step {
  const description = config.optionalText('description')
  const condition = readCondition(config, building)
  const ignoreFailure = config.boolean('ignore_failure')
  const handlers = config.optionalList('on_failure')
  if (handlers?.length === 0) throw config.fault('on_failure', 'processors list cannot be empty')
  const onFailure = (handlers ?? []).map(building.step)
  const process = type.build(config, building)
  config.finish()
  return { type: type.type, tag: config.tag, description, condition, ignoreFailure, onFailure, process }
}

function readCondition(config: ProcessorConfig, building: Building): Step['condition'] {
  const given = config.any('if')
  if (given === undefined) return undefined
  const holds = building.compileCondition(given)
  const source = typeof given === 'string' ? given : String(Object(given).source ?? '')
  return { source, holds: (document) => holds(document.ctx) }
}
