import { crc32, deflateRawSync } from 'node:zlib'

/** A zip of files by name, each deflated. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    // From the version that is needed to the length of the name: the same in both headers.
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, place, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
