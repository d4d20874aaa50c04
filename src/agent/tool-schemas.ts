import { z } from 'zod'
import type { ToolSchema } from '../model/fixed.ts'
import type { JsonValue } from '../model/message.ts'
import type { Tool } from './tool.ts'

/** The tools as they are declared to the model, the same in every request. */
export function toolSchemas(tools: readonly Tool[]): ToolSchema[] {
  return tools.map(({ name, description, input }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
    return { name, description, inputSchema: schema as JsonValue }
  })
}
