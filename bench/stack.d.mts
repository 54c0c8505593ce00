/** See `stack.mjs`. */
export class Stack {
  constructor(checkout: string, dataDir: string, portOffset: number)
  command(...args: string[]): Promise<string>
  up(): Promise<number>
  down(): Promise<void>
  text(method: string, path: string, body?: unknown, contentType?: string): Promise<string>
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown>
}
