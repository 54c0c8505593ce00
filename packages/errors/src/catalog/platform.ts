import { defineErrors } from './entry.ts'

/** Errors any part can report: settings, environment, TLS, requests to another part. */
export const platformErrors = defineErrors({
  settings_invalid: ['invalid', 'a settings file or an environment variable holds a value that is not allowed'],
  environment_missing: ['invalid', 'a part was started without an environment variable it needs'],
  search_unreachable: ['unavailable', 'the search engine did not answer'],
  search_refused: ['internal', 'the search engine answered with an error that the caller did not expect'],
  internal_error: ['internal', 'the product met a state it did not expect; the log has the details'],
  request_too_large: ['too-large', 'a request body is larger than the limit, packed or unpacked'],
  request_malformed: ['invalid', 'a request body cannot be unpacked or is no JSON'],
})
