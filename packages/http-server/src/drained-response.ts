import { type IncomingMessage, ServerResponse } from 'node:http'

/** An answer of fewer bytes, head included, is buffered whole without Node pausing the connection; below the limit of every release of Node. */
const undrainedBytesMax = 8_192
const tailBytes = 1_024

/**
 * An answer whose last bytes are sent only when those before them have left. Node stops reading from a connection with too much left to write. Over TLS, bytes
 * of the next request may have been read by then; they reach the paused parser, and Node ends the connection (`HPE_PAUSED`). A client that waits for the
 * whole answer before it asks again (all but those that pipeline) cannot ask while anything is still held back.
 */
export class DrainedResponse<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
  override end(...given: unknown[]): this {
    const [chunk, encoding] = given
    const body = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : chunk
    if (!(body instanceof Uint8Array) || body.length < undrainedBytesMax) return this.#end(given)
    if (!this.headersSent && !this.hasHeader('content-length')) this.setHeader('content-length', body.length)
    const done = given.findLast((each) => typeof each === 'function')
    // Never called when the connection is gone: the answer is closed then.
    this.write(body.subarray(0, -tailBytes), (error) => {
      if (!error) this.#end([body.subarray(-tailBytes), done])
    })
    return this
  }

  #end(given: readonly unknown[]): this {
    return super.end(...(given as Parameters<ServerResponse['end']>))
  }
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' && Buffer.isEncoding(given) ? given : 'utf8'
}
