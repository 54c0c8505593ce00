import { STATUS_CODES } from 'node:http'
import { type AppError, errorKinds, isAppError } from '@logstack/errors'

/** Kibana's error body; `attributes` carries our code for the pages. */
export interface ErrorBody {
  readonly statusCode: number
  readonly error: string
  readonly message: string
  readonly attributes?: { readonly code: string; readonly detail: Readonly<Record<string, unknown>> }
}

/** An error as Kibana's API shows it. What is not an `AppError` says nothing of its inside. */
export function renderError(thrown: unknown): ErrorBody {
  if (isAppError(thrown)) return render(statusOf(thrown), thrown.message, { code: thrown.code, detail: thrown.detail })
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return render(status, thrown instanceof Error ? thrown.message : 'request refused')
  }
  return render(500, 'An internal server error occurred. Check the dashboard log for details.')
}

function statusOf(error: AppError): number {
  const status = error.detail['status']
  const fromSearch = error.code === 'search_refused' && typeof status === 'number' && status >= 400
  return fromSearch ? status : errorKinds[error.kind].httpStatus
}

function render(statusCode: number, message: string, attributes?: ErrorBody['attributes']): ErrorBody {
  const error = STATUS_CODES[statusCode] ?? 'Error'
  return { statusCode, error, message, ...(attributes ? { attributes } : {}) }
}
