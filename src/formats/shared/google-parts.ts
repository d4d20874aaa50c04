import type { AssistantPart, ToolResultOutput, UserPart } from '../../model/types.ts'
import { callPart, imagePart, textOutput } from './content-parts.ts'
import { type Fields, fields, text } from './json.ts'

/** The parts of a content, which may be a bare text or a single part. */
export function partsIn(content: unknown): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  const parts = Array.isArray(content) ? content : [content]
  return parts.flatMap((part): UserPart[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }]
    const words = text(fields(part)?.text)
    if (words !== undefined) return [{ type: 'text', text: words }]
    const inline = fields(fields(part)?.inlineData)
    const data = text(inline?.data)
    const mediaType = text(inline?.mimeType) ?? 'image/png'
    return data === undefined
      ? []
      : mediaType.startsWith('image/')
        ? [imagePart({ kind: 'data', data, mediaType })]
        : [{ type: 'file', data, mediaType }]
  })
}

/** The output of a tool from a response of the API. */
export function responseOutput(response: Fields | undefined, failed = false): ToolResultOutput {
  const error = text(response?.error)
  const output = text(response?.output) ?? text(response?.content)
  if (error !== undefined) return textOutput(error, true)
  return textOutput(output ?? (response === undefined ? '' : JSON.stringify(response)), failed)
}

/** A part of the model's answer; `id` is for a call that has no id. */
export function modelPart(part: Fields, id: string): AssistantPart[] {
  const call = fields(part.functionCall)
  if (call !== undefined) return [callPart(text(call.id) ?? id, call.name, call.args)]
  const words = text(part.text)
  if (words === undefined) return []
  return part.thought === true ? [{ type: 'reasoning', text: words }] : [{ type: 'text', text: words }]
}
