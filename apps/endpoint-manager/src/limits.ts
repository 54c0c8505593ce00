/** What endpoint-manager takes at most, so that nothing grows without end. */
export const limits = {
  /** A request that is not whole after this time, its head after a minute, is answered with 408: whoever sends it byte by byte holds no connection for ever. */
  requestTimeoutMs: 120_000,
  bodyBytesMax: 16 * 1024 * 1024,
  unpackedBytesMax: 64 * 1024 * 1024,
  recordsPerBatchMax: 20_000,
  /** Of what agents send and is not answered yet, as it came: packed. */
  waitingBytesMax: 64 * 1024 * 1024,
  /** So long a batch waits for those before it; agents wait for a minute for the answer. */
  turnMs: 20_000,
  /** Of one request to search. What is written and looked at in one go keeps datagrams waiting, and the kernel holds only some hundreds of them. */
  bulkDocumentsMax: 1_000,
  /** Of messages of one input that wait for search, so that long ones do not take all memory. */
  queueBytesMax: 128 * 1024 * 1024,
  /** Of messages of GELF, and as many of Fluent, over TCP that are not whole or wait for their turn. */
  unfinishedBytesMax: 128 * 1024 * 1024,
  /** Longer texts are stored whole but matched by decoders up to here. */
  decodedCharactersMax: 32_768,
  agentCacheMs: 30_000,
} as const
