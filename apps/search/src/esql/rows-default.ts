/** How many rows an answer has without a LIMIT (`esql.query.result_truncation_default_size`). */
export const rowsDefault = 1_000
