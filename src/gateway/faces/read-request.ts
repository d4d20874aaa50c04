import { isUtf8 } from 'node:buffer'
import { clientOf } from '../../engine/extract/text/clients.ts'
import { fields, text } from '../../formats/shared/json.ts'
import type { Fixed, JsonObject, JsonValue } from '../../model/types.ts'
import { type ByteRange, listFrom, memberList, memberRanges, valueIn } from '../bytes/json-ranges.ts'
import { anthropicFace } from './anthropic-face.ts'
import type { ClientRequest, Face, FaceName, FaceRequest, RequestHead, RequestMessage } from './face.ts'
import { geminiFace } from './gemini-face.ts'
import { type KnownRequest, KnownRequests } from './known-requests.ts'
import { openAIChatFace } from './openai-chat-face.ts'
import { openAIResponsesFace } from './openai-responses-face.ts'

/**
 * The request, parsed; undefined when it does not ask for an answer, or has an unknown shape. A beginning that it shares with
 * a known request is not parsed again.
 */
export function readRequest(request: ClientRequest, known = new KnownRequests()): FaceRequest | undefined {
  const face = faceAt(request)
  if (face === undefined || !isUtf8(request.body)) return undefined
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength)
  try {
    const read = readBody(face, body, request.path, known)
    return read && { ...read, client: clientOf(request.headers) }
  } catch {
    return undefined
  }
}

/** The value of a message of a request. */
export function messageValue({ body }: Pick<FaceRequest, 'body'>, message: RequestMessage): JsonValue {
  return message.value ?? (valueIn(body, message) as JsonValue)
}

/** The face whose conversations have this path, if any. */
export function faceAt({ method, path }: Pick<ClientRequest, 'method' | 'path'>): Face | undefined {
  const [plain = path] = path.split('?', 1)
  return method === 'POST' ? FACES.find((face) => face.isConversation(plain)) : undefined
}

/** When this returns a request, all of the body is valid JSON: the new part was parsed now, and the known part before. */
function readBody(face: Face, body: Buffer, path: string, known: KnownRequests): FaceRequest | undefined {
  const near = known.nearest(face.name, path, body)
  const shared = near === undefined ? [] : near.known.request.messages.slice(0, near.shared)
  const found =
    near === undefined ? memberList(body, face.messagesKey) : listFrom(body, near.known.request.list.start, shared)
  if (found === undefined) return readText(face, body, path, known)
  const list = { start: found.start, end: found.end }
  const messages = [...shared, ...newMessages(face, body, found.elements.slice(shared.length))]
  const head =
    near !== undefined && isSameHead(near.known, body, list) ? near.known.head : headOf(face, body, list, path)
  if (head === undefined) return undefined
  const fixed = withInstructions(head.fixed, messages, near?.known.request.fixed)
  const { notes } = known
  const toolsBefore = near?.isContinued === true && !hasTools(head) ? toolsIn(near.known) : undefined
  const request = { face: face.name, client: undefined, body, messages, notes, list, ...head, fixed, toolsBefore }
  known.keep({ request, path, head }, near)
  return request
}

function hasTools({ fixed }: RequestHead): boolean {
  return (fixed.tools ?? []).length > 0
}

/** The definitions of tools of a request, or of the one that it continues, as they were sent. */
function toolsIn({ request, head }: KnownRequest): string | undefined {
  const range = hasTools(head) ? memberRanges(request.body).get('tools') : undefined
  return range === undefined ? request.toolsBefore : request.body.toString('utf8', range.start, range.end)
}

/** A request with one text instead of a list of messages. Nothing else begins like it, so it is not kept. */
function readText(face: Face, body: Buffer, path: string, { notes }: KnownRequests): FaceRequest | undefined {
  const range = face.messageOfText && memberRanges(body).get(face.messagesKey)
  const said = range && valueIn(body, range)
  if (face.messageOfText === undefined || range === undefined || typeof said !== 'string') return undefined
  const head = headOf(face, body, range, path)
  const messages = [{ ...range, opensAnswer: false, value: face.messageOfText(said) }]
  return head && { face: face.name, client: undefined, body, messages, notes, list: range, isOneText: true, ...head }
}

function newMessages(face: Face, body: Buffer, ranges: readonly ByteRange[]): RequestMessage[] {
  let last: 'model' | 'others' = 'others'
  return ranges.map((range) => {
    const value = valueIn(body, range) as JsonValue
    const speaker = face.speakerOf(value)
    const opensAnswer = speaker === 'model' && last === 'others'
    if (speaker !== 'nobody') last = speaker
    return { ...range, instruction: face.instructionOf?.(value), opensAnswer }
  })
}

/** Compares only the text after the messages: the text before them is known to be the same. */
function isSameHead({ request }: KnownRequest, body: Buffer, list: ByteRange): boolean {
  return body.subarray(list.end).equals(request.body.subarray(request.list.end))
}

function headOf(face: Face, body: Buffer, { start, end }: ByteRange, path: string): RequestHead | undefined {
  const around = JSON.parse(`${body.toString('utf8', 0, start)}null${body.toString('utf8', end)}`)
  const json = fields(around) as JsonObject | undefined
  // Otherwise the key appears a second time, and the value that counts is another one.
  return json?.[face.messagesKey] === null ? face.head(json, path) : undefined
}

/** Returns the same object as before when nothing has changed, because other code caches facts by this object. */
function withInstructions(fixed: Fixed, messages: readonly RequestMessage[], before: Fixed | undefined): Fixed {
  const instructions = messages.flatMap(({ instruction }) => text(instruction) ?? [])
  if (instructions.length === 0) return fixed
  const system = [text(fixed.system) ?? [], instructions].flat().join('\n')
  return before?.system === system && before.tools === fixed.tools ? before : { ...fixed, system }
}

/** Every protocol that the gateway reads. */
export const FACES: readonly Face[] = [anthropicFace, openAIChatFace, openAIResponsesFace, geminiFace]

/** The face of a name. */
export function faceNamed(name: FaceName): Face {
  const face = FACES.find((each) => each.name === name)
  if (face === undefined) throw new Error(`unreachable: there is no face ${name}`)
  return face
}
