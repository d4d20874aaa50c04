import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { bytes } from '../../../engine/report/numbers.ts'
import { answerRoom } from '../../shown-part.ts'
import { type Tool, type ToolContext, type ToolOutput, defineTool, refused } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { contentHash, LARGE_BYTES, largeFileHash, openFile } from '../files/stored-file.ts'
import { allowedPlace, fileRequest, missing } from '../files/target.ts'

/** The lines to show, and the limits of their size. */
export type LineRange = {
  /** The first line, counted from 1. */
  readonly offset: number
  readonly limit: number
  readonly widthCharacters: number
  /** The most characters of all lines together, with their numbers. The first line is always shown. */
  readonly characters: number
}

/** Some lines of a text. `more`: others follow; `passed`: the number of lines before the end of the slice. */
type LineSlice = { readonly lines: readonly string[]; readonly more: boolean; readonly passed: number }

/** The lines of a range, from a stream of bytes. It stops at the end of the range, and never holds a long line as a whole. */
export async function lineSlice(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  range: LineRange,
): Promise<LineSlice> {
  const slice = new Slice(range)
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      if (slice.full) return slice.end(true)
      const newline = chunk.indexOf(NEWLINE, start)
      slice.take(chunk.subarray(start, newline === -1 ? chunk.length : newline))
      if (newline !== -1) slice.endLine()
      start = newline === -1 ? chunk.length : newline + 1
    }
  }
  return slice.end(false)
}

const NEWLINE = 10

class Slice {
  readonly #range: LineRange
  readonly #lines: string[] = []
  #number = 1
  #characters = 0
  #isFull = false
  #pieces: Uint8Array[] = []
  #kept = 0
  #bytes = 0

  constructor(range: LineRange) {
    this.#range = range
  }

  get full(): boolean {
    return this.#isFull || (this.#bytes === 0 && this.#lines.length >= this.#range.limit)
  }

  take(piece: Uint8Array): void {
    this.#bytes += piece.length
    const room = this.#range.widthCharacters * 4 - this.#kept
    if (this.#number < this.#range.offset || room <= 0) return
    const kept = piece.subarray(0, room)
    // Copy it, because a stream may reuse the memory of its chunk.
    this.#pieces.push(Uint8Array.from(kept))
    this.#kept += kept.length
  }

  endLine(): void {
    if (this.#number >= this.#range.offset) this.#keep()
    if (this.#isFull) return
    this.#number++
    this.#pieces = []
    this.#kept = 0
    this.#bytes = 0
  }

  end(more: boolean): LineSlice {
    if (this.#bytes > 0 && !this.#isFull) this.endLine()
    return { lines: this.#lines, more: more || this.#isFull, passed: this.#number - 1 }
  }

  #keep(): void {
    const { widthCharacters } = this.#range
    const text = Buffer.concat(this.#pieces).toString('utf8').replace(/\r$/, '')
    const isCut = text.length > widthCharacters || this.#kept < this.#bytes
    const line = isCut
      ? `${text.slice(0, widthCharacters).replace(/[\ud800-\udbff]$/, '')}… (cut here: the line has ${this.#bytes} bytes)`
      : text
    const characters = this.#characters + line.length + `${this.#number}\t\n`.length
    this.#isFull = characters > this.#range.characters && this.#lines.length > 0
    if (this.#isFull) return
    this.#lines.push(line)
    this.#characters = characters
  }
}

/** The kind of a file that is not UTF-8 text, from its first bytes; undefined for text. */
export function binaryKind(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const image = imageType(bytes)
  if (image !== undefined) return `a ${image} image`
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
  const image = imageType(Buffer.from(head.buffer, head.byteOffset, head.byteLength))
  return image === undefined ? undefined : `image/${image.toLowerCase()}`
}

const IMAGES: readonly (readonly [type: string, signature: RegExp])[] = [
  ['PNG', /^\x89PNG/],
  ['GIF', /^GIF8[79]a/],
  ['WebP', /^RIFF.{4}WEBP/s],
  ['JPEG', /^\xff\xd8\xff/],
]

function imageType(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return undefined
  const head = bytes.toString('latin1', 0, 12)
  return IMAGES.find(([, signature]) => signature.test(head))?.[0]
}

/** The description of `read` that the model reads. */
const READ_DESCRIPTION = `Reads a text file and shows its lines with their numbers (number, tab, text; the number and the tab are not part of the file).

- \`path\`: from the workspace, or absolute.
- Shows as many lines as fit into an answer, 2,000 at most; the answer says how to go on when there are more. \`offset\` is the first line (from 1), \`limit\` the number of lines.
- Read a file before you edit or overwrite it. What you have read and what has not changed since need not be read again.
- Images are shown to you, if you can see. For other binary files you get their kind. For folders use \`ls\`, to find files \`find\` and \`grep\`.`

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file, from the workspace or absolute'),
  offset: z.number().int().positive().optional().describe('The first line to show, from 1'),
  limit: z.number().int().positive().optional().describe('How many lines to show'),
})
type Input = z.infer<typeof inputSchema>

const LINES = 2_000
const WIDTH_CHARACTERS = 2_000
const HEAD_BYTES = 64 * 1024

/** Shows the lines of a text file, and the kind of other files. */
export const read: Tool = defineTool<Input>({
  name: 'read',
  description: READ_DESCRIPTION,
  input: inputSchema,
  parallel: true,
  permission: ({ path }, context) => fileRequest('read', path, context),
  run: async (input, context) => {
    const place = await allowedPlace('read', input.path, context)
    const file = await openFile(place)
    if (file === undefined) return missing(place, context)
    try {
      return await readOpen(file, place, input, context)
    } finally {
      await file.close()
    }
  },
})

async function readOpen(file: FileHandle, place: FilePlace, input: Input, context: ToolContext): Promise<ToolOutput> {
  const { size } = await file.stat()
  const whole = size <= LARGE_BYTES ? await file.readFile() : undefined
  const hash = whole === undefined ? await largeFileHash(file) : contentHash(whole)
  const seen = { files: [{ path: place.shown, access: 'read' as const, hash }] }
  const kind = binaryKind(await headOf(file, whole))
  if (kind !== undefined) return { ...shownKind(place, kind, size, whole), ...seen }
  if (whole?.length === 0) return { text: `${place.shown} is empty.`, ...seen }
  const offset = input.offset ?? 1
  const room = answerRoom(context)
  const slice = await lineSlice(whole === undefined ? chunksOf(file, context) : [whole], {
    offset,
    limit: input.limit ?? LINES,
    widthCharacters: Math.min(WIDTH_CHARACTERS, Math.floor(room / 2)),
    characters: room,
  })
  if (slice.lines.length === 0) return refused(`${place.shown} has only ${slice.passed} lines: offset is ${offset}`)
  return { text: `${numbered(slice, offset)}${notes(slice, offset, whole)}`, ...seen }
}

/** Providers refuse larger images. */
const MOST_IMAGE_BYTES = 5_000_000

/** The answer for a file that is not text: an image, or a line with its kind. */
function shownKind({ shown }: FilePlace, kind: string, size: number, whole: Buffer | undefined): ToolOutput {
  const what = `${shown} is ${kind}, ${bytes(size)}`
  const mediaType = whole === undefined ? undefined : imageMediaType(whole.subarray(0, HEAD_BYTES))
  if (whole === undefined || mediaType === undefined) return { text: `${what}: not shown.` }
  if (size > MOST_IMAGE_BYTES) return { text: `${what}: not shown, images of more than 5 MB are refused by providers.` }
  return { text: `${what}.`, images: [{ data: whole.toString('base64'), mediaType }] }
}

async function headOf(file: FileHandle, whole: Buffer | undefined): Promise<Uint8Array> {
  if (whole !== undefined) return whole.subarray(0, HEAD_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

function chunksOf(file: FileHandle, { signal }: ToolContext): AsyncIterable<Uint8Array> {
  return file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1024 * 1024, signal })
}

function numbered({ lines }: LineSlice, offset: number): string {
  return lines
    .map((line, i) => `${offset + i}\t${i === 0 && offset === 1 ? line.replace(/^\ufeff/, '') : line}`)
    .join('\n')
}

function notes({ lines, more, passed }: LineSlice, offset: number, whole: Buffer | undefined): string {
  const notes: string[] = []
  if (more) {
    const total = whole === undefined ? '' : ` of ${linesIn(whole)}`
    notes.push(`Lines ${offset} to ${offset + lines.length - 1}${total}; to go on: offset ${passed + 1}.`)
  }
  if (whole?.includes('\r\n')) notes.push('The lines end in CRLF.')
  if (lines.some((line) => line.includes('\ufffd'))) notes.push('Not all of it is valid UTF-8: shown as \ufffd.')
  return notes.length === 0 ? '' : `\n\n(${notes.join(' ')})`
}

function linesIn(bytes: Buffer): number {
  let lines = bytes.at(-1) === 10 ? 0 : 1
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}
