export type ImageSize = { readonly type: string; readonly width?: number; readonly height?: number }

/** Type and size of an image, from its first bytes; undefined for what is none that we know. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47) return sized('PNG', bytes, 16, 20, (at) => bytes.readUInt32BE(at))
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
    return sized('GIF', bytes, 6, 8, (at) => bytes.readUInt16LE(at))
  }
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return { type: 'WebP' }
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? jpegSize(bytes) : undefined
}

function sized(type: string, bytes: Buffer, width: number, height: number, at: (index: number) => number): ImageSize {
  return bytes.length < height + 4 ? { type } : { type, width: at(width), height: at(height) }
}

/** The size stands in the first frame header, behind segments that say how long they are. */
function jpegSize(bytes: Buffer): ImageSize {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: 'JPEG', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return { type: 'JPEG' }
}
