import { componentsByName } from '../component.ts'
import { htmlStripCharFilter } from './html-strip.ts'
import { mappingCharFilter } from './mapping.ts'
import { patternReplaceCharFilter } from './pattern-replace.ts'

/** Every character filter by its wire name. */
export const charFilters = componentsByName([htmlStripCharFilter, mappingCharFilter, patternReplaceCharFilter])
