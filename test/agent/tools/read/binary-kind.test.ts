import { describe, expect, it } from 'vitest'
import { binaryKind, imageMediaType } from '../../../../src/agent/tools/read/read.ts'

const UTF_16 = 'UTF-16 text (to read it: `iconv -f UTF-16 -t UTF-8`)'
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

describe('the kind of a file that is not text', () => {
  it.each([
    ['ff fe 68 00', UTF_16],
    ['fe ff 00 68', UTF_16],
    ['25 50 44 46 2d 31 2e 37', 'a PDF document'],
    ['50 4b 03 04 14 00', 'a zip archive, or a document packed as one'],
    ['1f 8b 08 00', 'gzip data'],
    ['28 b5 2f fd 24', 'zstd data'],
    ['fd 37 7a 58 5a 00', 'xz data'],
    ['7f 45 4c 46 02', 'an ELF program or library'],
    ['cf fa ed fe 07', 'a Mach-O program or library'],
    ['00 61 73 6d 01', 'a WebAssembly module'],
    ['53 51 4c 69 74 65 20 66 6f 72', 'a SQLite database'],
    ['61 00 62', 'a binary file'],
    // A part of a signature is not one, and a signature is at the beginning.
    ['1f', undefined],
    ['61 1f 8b', undefined],
    ['53 51 4c 69 74 65', undefined],
    ['', undefined],
  ])('that begins with %s', (hex, kind) => {
    expect(binaryKind(bytes(hex))).toBe(kind)
    // It may be a part of a larger buffer.
    expect(binaryKind(bytes(`00 ${hex} 00`).subarray(1, -1))).toBe(kind)
  })
})

describe('an image', () => {
  it.each([
    ['89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52', 'PNG'],
    ['47 49 46 38 39 61 40 01 f0 00 00 00', 'GIF'],
    ['47 49 46 38 37 61 40 01 f0 00 00 00', 'GIF'],
    ['52 49 46 46 00 00 00 00 57 45 42 50', 'WebP'],
    ['52 49 46 46 0a 0d 00 00 57 45 42 50 56 50 38', 'WebP'],
    ['ff d8 ff e0 00 04 4a 46 ff c0 00 11', 'JPEG'],
  ])('of the bytes %s is a %s', (hex, type) => {
    expect(binaryKind(bytes(hex))).toBe(`a ${type} image`)
    expect(imageMediaType(bytes(hex))).toBe(`image/${type.toLowerCase()}`)
    expect(imageMediaType(bytes(`00 ${hex} 00`).subarray(1, -1))).toBe(`image/${type.toLowerCase()}`)
  })

  it.each([
    ['52 49 46 46 00 00 00 00 57 41 56 45'],
    ['61 62 63 64 00 00 00 00 57 45 42 50'],
    ['ff d8 00 00 00 00 00 00 00 00 00 00'],
    ['47 49 46 38 38 61 40 01 f0 00 00 00'],
    ['61 47 49 46 38 39 61 00 00 00 00 00'],
    ['89 50 4e 47 0d 0a 1a 0a'],
  ])('is not made of the bytes %s', (hex) => {
    expect(imageMediaType(bytes(hex))).toBeUndefined()
  })
})
