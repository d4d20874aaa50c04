import { clientOf } from '../../engine/extract/text/clients.ts'
import type { ClientRequest, FaceRequest } from '../faces/face.ts'

/**
 * True for a request that an agent makes beside its conversation: for a title, the topic of a message, the summary of a web
 * page, a check of its quota. Agents send their tools with every step of a conversation, so these are their requests without
 * tools of their own that nobody has answered before, or that want a JSON object. A program that is not known as an agent may
 * talk without tools.
 */
export function isSideRequest({ headers }: ClientRequest, { fixed, messages, body, list }: FaceRequest): boolean {
  const hasTools = fixed.tools?.some(({ inputSchema }) => inputSchema !== undefined) === true
  if (hasTools || (clientOf(headers)?.typedParts ?? 'none') === 'none') return false
  if (body.subarray(list.start, list.end).includes(TOOLS_ITEM)) return false
  const around = [body.subarray(0, list.start), body.subarray(list.end)]
  return !messages.some(({ opensAnswer }) => opensAnswer) || around.some((part) => WANTS_JSON.test(part.toString()))
}

/** Codex 0.166.0 sends the tools of its newest models as an item of the conversation. In a text the quotation marks would be escaped. */
const TOOLS_ITEM = '"type":"additional_tools"'

/** How the protocols ask for a JSON object of a given form. */
const WANTS_JSON = /"(?:json_schema|responseSchema|responseJsonSchema)"/
