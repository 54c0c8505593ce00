import { AppError, searchErrors } from '@logstack/errors'
import type { WritePressure, WriteResult } from './documents.ts'
import type { WriteOperation } from './write-operation.ts'

/** Bounds of what waits and of what is committed together. */
export interface QueueLimits {
  /** Of documents that wait or are being written; beyond it requests are refused. */
  readonly waitingBytesMax: number
  readonly waitingOperationsMax: number
  readonly batchBytesMax: number
  readonly batchOperationsMax: number
}

/** The part of a request that goes with one batch. */
export interface BatchShare {
  readonly operations: readonly WriteOperation[]
  answer(results: readonly WriteResult[]): void
}

/** Gives each share its part of the results of a batch. */
export function answerShares(shares: readonly BatchShare[], results: readonly WriteResult[]): void {
  let at = 0
  for (const { operations, answer } of shares) {
    answer(results.slice(at, at + operations.length))
    at += operations.length
  }
}

/** What the documents of a batch take. */
export function bytesOfShares(shares: readonly BatchShare[]): number {
  let bytes = 0
  for (const { operations } of shares) for (const { source } of operations) bytes += source?.length ?? 0
  return bytes
}

interface Request {
  readonly operations: readonly WriteOperation[]
  readonly results: WriteResult[]
  taken: number
  resolve(results: WriteResult[]): void
}

const bytesOf = (operation: WriteOperation): number => (operation.source?.length ?? 0) + 64

/** Requests in order of arrival, bounded in bytes and operations, given out in batches. */
export class WriteQueue {
  readonly #limits: QueueLimits
  #requests: Request[] = []
  #bytes = 0
  #operations = 0
  #bytesEver = 0
  #rejections = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  pressure(): WritePressure {
    const { waitingBytesMax: bytesMax } = this.#limits
    return { bytes: this.#bytes, bytesEver: this.#bytesEver, rejections: this.#rejections, bytesMax }
  }

  /** Operations not yet given out. */
  get waiting(): number {
    return this.#requests.reduce((sum, request) => sum + request.operations.length - request.taken, 0)
  }

  /** Resolves with one result an operation. Throws `es_rejected_execution_exception` when the queue is full; an empty queue takes anything. */
  push(operations: readonly WriteOperation[]): Promise<WriteResult[]> {
    const bytes = operations.reduce((sum, operation) => sum + bytesOf(operation), 0)
    const { waitingBytesMax, waitingOperationsMax } = this.#limits
    const tooMuch = this.#bytes + bytes > waitingBytesMax || this.#operations + operations.length > waitingOperationsMax
    if (this.#operations > 0 && tooMuch) {
      this.#rejections += 1
      const reason = `rejected execution of coordinating operation [coordinating_and_primary_bytes=${this.#bytes}, all_bytes=${this.#bytes}, coordinating_operation_bytes=${bytes}, max_coordinating_and_primary_bytes=${waitingBytesMax}]`
      return Promise.reject(new AppError(searchErrors.es_rejected_execution_exception, reason))
    }
    this.#bytes += bytes
    this.#bytesEver += bytes
    this.#operations += operations.length
    return new Promise((resolve) => {
      const answered = (results: WriteResult[]): void => {
        this.#bytes -= bytes
        this.#operations -= operations.length
        resolve(results)
      }
      this.#requests.push({ operations, results: [], taken: 0, resolve: answered })
    })
  }

  /** The next batch, at least one operation; empty when nothing waits. A request may be spread over several batches. */
  take(): BatchShare[] {
    const shares: BatchShare[] = []
    let bytes = 0
    let count = 0
    for (let request = this.#requests[0]; request !== undefined; request = this.#requests[0]) {
      const from = request.taken
      while (request.taken < request.operations.length) {
        const operation = request.operations[request.taken]
        const size = operation === undefined ? 0 : bytesOf(operation)
        if (count > 0 && (bytes + size > this.#limits.batchBytesMax || count >= this.#limits.batchOperationsMax)) break
        bytes += size
        count += 1
        request.taken += 1
      }
      if (request.taken > from) shares.push(this.#share(request, from))
      if (request.taken < request.operations.length) break
      this.#requests.shift()
    }
    return shares
  }

  #share(request: Request, from: number): BatchShare {
    return {
      operations: request.operations.slice(from, request.taken),
      answer: (results) => {
        request.results.push(...results)
        if (request.results.length === request.operations.length) request.resolve(request.results)
      },
    }
  }
}
