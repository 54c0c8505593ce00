/** What may stand at a place of a query, as the messages of Elasticsearch list it. */
const names = "'?', '??', NAMED_OR_POSITIONAL_PARAM, NAMED_OR_POSITIONAL_DOUBLE_PARAMS"
const constants = "QUOTED_STRING, INTEGER_LITERAL, DECIMAL_LITERAL, 'false'"
const operands =
  "'null', '?', 'true', '+', '-', '??', NAMED_OR_POSITIONAL_PARAM, NAMED_OR_POSITIONAL_DOUBLE_PARAMS, '[', UNQUOTED_IDENTIFIER, QUOTED_IDENTIFIER"

export const anExpression = `{${constants}, '(', 'not', ${operands}}`
export const aValue = `{${constants}, '(', ${operands}}`
export const aConstant = `{${constants}, 'null', '?', 'true', '+', '-', NAMED_OR_POSITIONAL_PARAM, '['}`
export const aName = `{${names}, ID_PATTERN}`
export const anIndex = '{QUOTED_STRING, UNQUOTED_SOURCE}'
export const aString = "{QUOTED_STRING, '::', '.'}"
export const aSource = "{'explain', 'from', 'row', 'show'}"
export const aCommand =
  "{'completion', 'dissect', 'drop', 'enrich', 'eval', 'grok', 'keep', 'limit', 'mv_expand', 'rename', 'sample', 'sort', 'stats', 'where', 'lookup', 'change_point'}"
export const anIdentifier = `{${names}, UNQUOTED_IDENTIFIER, QUOTED_IDENTIFIER}`
