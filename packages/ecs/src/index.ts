export { type EcsField, type EcsFieldType, ecsFields, ecsVersion, fieldTypeOf } from './field-types.ts'
export {
  type IndexTemplateBody,
  indexTemplates,
  type MappingNode,
  mappingProperties,
  type NamedIndexTemplate,
} from './index-templates.ts'
export { type ComposedIndexTemplate, composedIndexTemplates, type StreamPart, streamParts } from './stream-parts.ts'
