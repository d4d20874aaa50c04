import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { bytes } from '../../../engine/report/numbers.ts'
import type { Tool, ToolContext, ToolOutput } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { answerRoom } from '../answer-room.ts'
import { defineTool, refused } from '../define-tool.ts'
import { contentHash, LARGE_BYTES, largeFileHash } from '../files/content-hash.ts'
import { missing } from '../files/missing.ts'
import { openFile } from '../files/open-file.ts'
import { allowedPlace, fileRequest } from '../files/target.ts'
import { binaryKind, imageMediaType } from './binary-kind.ts'
import { READ_DESCRIPTION } from './description.ts'
import { type LineSlice, lineSlice } from './line-slice.ts'

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file, from the workspace or absolute'),
  offset: z.number().int().positive().optional().describe('The first line to show, from 1'),
  limit: z.number().int().positive().optional().describe('How many lines to show'),
})
type Input = z.infer<typeof inputSchema>

const LINES = 2_000
const WIDTH_CHARACTERS = 2_000
const HEAD_BYTES = 64 * 1024

/** Shows the lines of a text file, and tells what other files are. */
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

/** A file that is no text: an image that is shown, or a line that says what it is. */
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
