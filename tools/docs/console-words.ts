import type { Route } from '../../apps/search/src/api/define-route.ts'
import { routes } from '../../apps/search/src/api/index.ts'
import { commonParameters } from '../../apps/search/src/api/parameters.ts'
import { aggregations } from '../../apps/search/src/dsl/aggregations/index.ts'
import { queryClauses } from '../../apps/search/src/dsl/queries/index.ts'
import { fieldTypes } from '../../apps/search/src/indices/field-types/index.ts'
import { processorTypes } from '../../apps/search/src/ingest/processors/index.ts'

/** What the dashboard's console offers while requests are written, from the registries that search runs by. */
export function renderConsoleWords(): string {
  const words = {
    endpoints: routes.flatMap(endpoints).sort(),
    commonParameters: Object.keys(commonParameters).join(','),
    queries: [...queryClauses.keys()].sort(),
    aggregations: [...aggregations.keys()].sort(),
    fieldTypes: fieldTypes.map(({ name }) => name).sort(),
    processors: processorTypes.map(({ type }) => type).sort(),
  }
  return `${JSON.stringify(words, null, 2)}\n`
}

/** A line a path: its methods, itself, its parameters. */
function endpoints({ methods, paths, parameters }: Route): string[] {
  return paths.map((path) => [methods.join(','), path, Object.keys(parameters).join(',')].join(' ').trimEnd())
}
