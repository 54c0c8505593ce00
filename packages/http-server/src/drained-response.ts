import { type IncomingMessage, ServerResponse } from 'node:http'

/** Bytes of an answer, head included, that its connection takes without holding the next request back; less than any release of Node allows. */
const undrainedBytesMax = 8_192
const tailBytes = 1_024

/**
 * An answer whose last bytes leave when those before them are gone. Node stops reading from a connection that has more to write than it wants to hold;
 * over TLS what it has read of the next request by then reaches the stopped parser, and Node ends the connection (`HPE_PAUSED`). A client that
 * waits for the whole answer, as all but those that pipeline do, so never asks while anything is held.
 */
export class DrainedResponse<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
  override end(...given: unknown[]): this {
    const [chunk, encoding] = given
    const body = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : chunk
    if (!(body instanceof Uint8Array) || body.length < undrainedBytesMax) return this.#end(given)
    if (!this.headersSent && !this.hasHeader('content-length')) this.setHeader('content-length', body.length)
    const done = given.findLast((each) => typeof each === 'function')
    // Without the connection nothing is called: the answer is closed then.
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
