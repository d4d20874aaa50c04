import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { MEMORY_TEXTS } from './descriptions.ts'
import { type McpTool, type SessionFinder, withinAnswer } from './found-session.ts'

const inputSchema = z.strictObject({})

/** Gives the memory of the caller's project. It is offered only where there is one. */
export const memoryTool: McpTool<z.infer<typeof inputSchema>> = {
  name: 'memory',
  description: MEMORY_TEXTS.description,
  input: inputSchema,
  isReadOnly: true,
  run: async (_, { finder }) => memoryText(finder),
}

/** The page, safe for a terminal. */
export function memoryText({ memory }: SessionFinder): string {
  if (memory === undefined) throw new PithError('not-allowed', 'there is no memory of a project here')
  return withinAnswer(memory)
}
