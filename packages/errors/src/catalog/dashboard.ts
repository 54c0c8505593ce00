import { defineErrors } from './entry.ts'

/** Errors reported by dashboard. */
export const dashboardErrors = defineErrors({
  kql_syntax: ['invalid', 'a KQL query cannot be read; the detail has the position'],
  date_math_invalid: ['invalid', 'a time such as now-7d/d cannot be read'],
  request_invalid: ['invalid', 'a request to the dashboard lacks a parameter or has one that is not allowed'],
  login_required: ['unauthenticated', 'a request came without a session that is still valid, or without credentials'],
  login_failed: ['unauthenticated', 'the search engine did not accept the user name and password'],
  login_too_often: ['too-many', 'too many failed logins for one user or from one address'],
  tokens_unsupported: ['unsupported', 'the search engine hands out no session tokens'],
  search_route_refused: [
    'forbidden',
    'the page asked for a search request that is not on the list of those pages may send',
  ],
  saved_object_not_found: ['not-found', 'a saved object with this type and id does not exist'],
  saved_object_conflict: ['conflict', 'a saved object with this type and id exists already, or changed meanwhile'],
  saved_object_type: ['invalid', 'a saved object has a type that the dashboard does not keep'],
  saved_objects_forbidden: ['forbidden', 'the user may read saved objects but not change them'],
  import_invalid: ['invalid', 'an import file is not NDJSON of saved objects'],
  import_too_large: ['too-large', 'an import file holds more objects or bytes than allowed'],
  agent_server_unreachable: ['unavailable', 'the agent server did not answer the dashboard'],
})
