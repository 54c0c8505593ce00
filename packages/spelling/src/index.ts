export { alikeNames, type Likeness, meantHint, meantName } from './alike-names.ts'
export { editDistance } from './edit-distance.ts'
