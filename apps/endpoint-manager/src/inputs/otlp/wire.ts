/** One field of a protobuf message: numbers of fixed width come as bytes. */
export interface WireField {
  readonly number: number
  readonly value: bigint | Buffer
}

/** Reads the fields of a protobuf message (encoding of the wire, proto3); throws for what is none. Groups are not known. */
export function* wireFields(bytes: Buffer): Generator<WireField> {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined) throw new Error('protobuf is cut off')
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new Error('a protobuf number is too long')
  }
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new Error('protobuf is cut off')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = varint()
    const number = Number(key >> 3n)
    switch (Number(key & 7n)) {
      case 0:
        yield { number, value: varint() }
        break
      case 1:
        yield { number, value: take(8) }
        break
      case 2:
        yield { number, value: take(Number(varint())) }
        break
      case 5:
        yield { number, value: take(4) }
        break
      default:
        throw new Error('a protobuf field of an unknown kind')
    }
  }
}
