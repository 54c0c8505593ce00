import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { cipherKey, openMessage, type SentCounters, sealMessage } from './cipher.ts'
import { FrameReader, frame } from './frames.ts'

/** A Wazuh agent: one connection, on which it sends what it is told to and keeps what it gets. */
export class SimulatedAgent {
  readonly received: string[] = []
  readonly #socket: Socket
  readonly #id: string | undefined
  readonly #cipher: Buffer
  readonly #counters: SentCounters = { global: 0, local: 0 }

  private constructor(socket: Socket, id: string | undefined, key: string) {
    this.#socket = socket
    this.#id = id
    this.#cipher = cipherKey(key)
    const frames = new FrameReader()
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => {
      for (const payload of frames.push(bytes)) this.#receive(this.#opened(payload))
    })
  }

  /** Connects; without an id it is known by its address only. */
  static async connect(port: number, agent: { readonly id?: string; readonly key: string }): Promise<SimulatedAgent> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new SimulatedAgent(socket, agent.id, agent.key)
  }

  get isClosed(): boolean {
    return this.#socket.closed
  }

  /** Sends messages, in one go. */
  send(...messages: readonly string[]): void {
    this.#socket.write(Buffer.concat(messages.map((message) => frame(this.#payload(message)))))
  }

  /** Sends bytes as they are. */
  sendBytes(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(message: string): void {
    this.received.push(message)
    // As agents do: what they have begun to send goes first.
    if (message === '#!-force_reconnect') this.#socket.end()
  }

  #payload(message: string): Buffer {
    const sealed = sealMessage(Buffer.from(message), this.#cipher, this.#counters)
    return this.#id === undefined ? sealed : Buffer.concat([Buffer.from(`!${this.#id}!`), sealed])
  }

  #opened(payload: Buffer): string {
    return payload[1] === 0x70 ? payload.toString() : openMessage(payload, this.#cipher).toString()
  }
}
