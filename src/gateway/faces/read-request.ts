import { fields } from '../../formats/shared/json.ts'
import type { JsonObject, JsonValue } from '../../model/message.ts'
import { bodyText } from '../bytes/body-text.ts'
import { memberList } from '../bytes/json-ranges.ts'
import type { ClientRequest, Face, FaceRequest } from './face.ts'
import { FACES } from './faces.ts'

/** The request, read; undefined when it is no request for an answer, or has a shape that nobody knows. */
export function readRequest(request: ClientRequest): FaceRequest | undefined {
  const face = faceAt(request)
  const text = face === undefined ? undefined : bodyText(request.body)
  if (face === undefined || text === undefined) return undefined
  const json = jsonObject(text)
  const values = json?.[face.messagesKey]
  if (json === undefined || !Array.isArray(values)) return undefined
  const found = memberList(text, face.messagesKey)
  if (found?.elements.length !== values.length) return undefined
  const { elements, ...range } = found
  const messages = elements.map((at, i) => ({ ...at, value: values[i] as JsonValue }))
  return { face: face.name, text, json, messages, list: range, ...face.head(json, request.path) }
}

/** The face whose conversations have this path, if any. */
function faceAt({ method, path }: Pick<ClientRequest, 'method' | 'path'>): Face | undefined {
  const [plain = path] = path.split('?', 1)
  return method === 'POST' ? FACES.find((face) => face.isConversation(plain)) : undefined
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    return fields(JSON.parse(text)) as JsonObject | undefined
  } catch {
    return undefined
  }
}
