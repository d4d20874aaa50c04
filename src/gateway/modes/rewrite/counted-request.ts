import type { ClientRequest, FaceRequest } from '../../faces/face.ts'
import { readRequest } from '../../faces/read-request.ts'

/** The conversation whose tokens a client wants to have counted; undefined for every other request. */
export function countedRequest(client: ClientRequest): FaceRequest | undefined {
  const path = COUNTS.reduce((named, [pattern, path]) => named.replace(pattern, path), client.path)
  return path === client.path ? undefined : readRequest({ ...client, path })
}

/** The paths of counts, and those of the answers whose shape they have. */
const COUNTS: readonly (readonly [RegExp, string])[] = [
  [/\/messages\/count_tokens(?=$|\?)/, '/messages'],
  [/:countTokens(?=$|\?)/, ':generateContent'],
]
