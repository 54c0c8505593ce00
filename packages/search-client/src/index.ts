export { readAddresses } from './addresses.ts'
export { type BulkAction, type BulkResult, sendBulk } from './bulk.ts'
export { BulkRequest } from './bulk-request.ts'
export { capabilitiesOf, type ServerCapabilities } from './capabilities.ts'
export {
  type Credentials,
  SearchClient,
  type SearchClientOptions,
  type SearchRequest,
  type SearchResponse,
} from './client.ts'
export { ensureHiddenIndex, type HiddenIndex } from './hidden-index.ts'
