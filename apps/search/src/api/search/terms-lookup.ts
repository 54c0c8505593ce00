import { leavesAt } from '@logstack/rules'
import { withLookedUpTerms } from '../../dsl/terms-lookup.ts'
import { parseSource } from '../../json/source-json.ts'
import type { Scope } from '../../model/scope.ts'
import { visibleSource } from '../../security/visible-source.ts'
import type { Services } from '../../services.ts'
import { indexToRead, isRoutedTo, readDocuments } from '../resources/read-documents.ts'

/** A body of a search with the values of its terms lookups; a document that is missing gives none. Throws 404 for an index that is. */
export function bodyWithTerms(services: Services, scope: Scope, route: string, body: unknown): Promise<unknown> {
  return withLookedUpTerms(body, async ({ index: name, id, path, routing }) => {
    const index = indexToRead(scope, services, route, name)
    const [document] = await readDocuments(scope, services, index, [id])
    if (!document || !isRoutedTo(index, document, routing)) return []
    const source = visibleSource(scope, index, document.source, true)
    return source ? leavesAt(parseSource(source), path) : []
  })
}
