/** The kind of a file that is no UTF-8 text, from its first bytes; undefined for text. */
export function binaryKind(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const image = imageSize(bytes)
  if (image !== undefined) {
    const size = image.width === undefined ? '' : ` of ${image.width}x${image.height} pixels`
    return `a ${image.type} image${size}`
  }
  const known = SIGNATURES.find(([signature]) => bytes.subarray(0, signature.length).equals(Buffer.from(signature)))
  return known?.[1] ?? (bytes.includes(0) ? 'a binary file' : undefined)
}

const SIGNATURES: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe], 'UTF-16 text (to read it: `iconv -f UTF-16 -t UTF-8`)'],
  [[0xfe, 0xff], 'UTF-16 text (to read it: `iconv -f UTF-16 -t UTF-8`)'],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'a PDF document'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive, or a document packed as one'],
  [[0x1f, 0x8b], 'gzip data'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd data'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'xz data'],
  [[0x7f, 0x45, 0x4c, 0x46], 'an ELF program or library'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'a Mach-O program or library'],
  [[0x00, 0x61, 0x73, 0x6d], 'a WebAssembly module'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], 'a SQLite database'],
]

/** The media type of an image that models can see; undefined for any other file. */
export function imageMediaType(head: Uint8Array): string | undefined {
  const image = imageSize(Buffer.from(head.buffer, head.byteOffset, head.byteLength))
  return image === undefined ? undefined : `image/${image.type.toLowerCase()}`
}

type ImageSize = { readonly type: string; readonly width?: number; readonly height?: number }

/** Type and size of an image, from its first bytes; undefined for what is none that we know. */
function imageSize(bytes: Buffer): ImageSize | undefined {
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
