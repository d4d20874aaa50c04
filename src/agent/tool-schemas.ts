import { z } from 'zod'
import type { ToolSchema } from '../model/fixed.ts'
import type { JsonValue } from '../model/message/message.ts'
import type { Tool } from './tool.ts'

/** The tools as they are declared to the model, the same in every request. */
export function toolSchemas(tools: readonly Tool[]): ToolSchema[] {
  return tools.map(({ name, description, input, inputSchema }) => {
    if (inputSchema !== undefined) return { name, description, inputSchema }
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
    return { name, description, inputSchema: schema as JsonValue }
  })
}

/** The same in few words, for a window of which the whole would take much: what each is for, and its arguments. */
export function inFewWords(tools: readonly ToolSchema[]): ToolSchema[] {
  return tools.map((tool) => ({ ...tool, description: tool.description?.split('\n\n')[0] }))
}
