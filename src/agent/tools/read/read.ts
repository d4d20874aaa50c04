import { z } from 'zod'
import { bytes } from '../../../engine/report/numbers.ts'
import { answerRoom } from '../../shown-part.ts'
import { defineTool, refused, type Tool, type ToolContext, type ToolOutput } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { contentHash, fileContent } from '../files/stored-file.ts'
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

/** The lines of a range of a text. */
export function lineSlice(text: Buffer, range: LineRange): LineSlice {
  const lines: string[] = []
  let number = 1
  let characters = 0
  for (let start = 0; start < text.length; number++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    if (number >= range.offset) {
      const line = shownLine(text.subarray(start, end), range.widthCharacters)
      characters += line.length + `${number}\t\n`.length
      if (lines.length === range.limit || (lines.length > 0 && characters > range.characters))
        return { lines, more: true, passed: number - 1 }
      lines.push(line)
    }
    start = end + 1
  }
  return { lines, more: false, passed: number - 1 }
}

function shownLine(line: Buffer, widthCharacters: number): string {
  // A character has at most four bytes. The rest of a line of many megabytes is not decoded.
  const text = line
    .subarray(0, widthCharacters * 4)
    .toString('utf8')
    .replace(/\r$/, '')
  if (text.length <= widthCharacters && line.length <= widthCharacters * 4) return text
  const shown = text.slice(0, widthCharacters).replace(/[\ud800-\udbff]$/, '')
  return `${shown}… (cut here: the line has ${line.length} bytes)`
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
    const found = await fileContent(place)
    return found === undefined ? missing(place, context) : readText(found.content, place, input, context)
  },
})

function readText(whole: Buffer, place: FilePlace, input: Input, context: ToolContext): ToolOutput {
  const seen = { files: [{ path: place.shown, access: 'read' as const, hash: contentHash(whole) }] }
  const kind = binaryKind(whole.subarray(0, HEAD_BYTES))
  if (kind !== undefined) return { ...shownKind(place, kind, whole), ...seen }
  if (whole.length === 0) return { text: `${place.shown} is empty.`, ...seen }
  const offset = input.offset ?? 1
  const room = answerRoom(context)
  const slice = lineSlice(whole, {
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
function shownKind({ shown }: FilePlace, kind: string, whole: Buffer): ToolOutput {
  const what = `${shown} is ${kind}, ${bytes(whole.length)}`
  const mediaType = imageMediaType(whole)
  if (mediaType === undefined) return { text: `${what}: not shown.` }
  if (whole.length > MOST_IMAGE_BYTES)
    return { text: `${what}: not shown, images of more than 5 MB are refused by providers.` }
  return { text: `${what}.`, images: [{ data: whole.toString('base64'), mediaType }] }
}

function numbered({ lines }: LineSlice, offset: number): string {
  return lines
    .map((line, i) => `${offset + i}\t${i === 0 && offset === 1 ? line.replace(/^\ufeff/, '') : line}`)
    .join('\n')
}

function notes({ lines, more, passed }: LineSlice, offset: number, whole: Buffer): string {
  const notes: string[] = []
  const last = offset + lines.length - 1
  if (more) notes.push(`Lines ${offset} to ${last} of ${linesIn(whole)}; to go on: offset ${passed + 1}.`)
  if (whole.includes('\r\n')) notes.push('The lines end in CRLF.')
  if (lines.some((line) => line.includes('\ufffd'))) notes.push('Not all of it is valid UTF-8: shown as \ufffd.')
  return notes.length === 0 ? '' : `\n\n(${notes.join(' ')})`
}

function linesIn(bytes: Buffer): number {
  let lines = bytes.at(-1) === 10 ? 0 : 1
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}
