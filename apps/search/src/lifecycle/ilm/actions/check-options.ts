import { AppError, searchErrors } from '@logstack/errors'

/** Throws `illegal_argument_exception` for options an action does not have. */
export function checkOptions(
  action: string,
  options: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new AppError(searchErrors.x_content_parse_exception, `[1:1] [${action}] unknown field [${name}]`)
}
