import type { ToolSet } from 'ai'
import type { JsonValue, ToolSchema } from '../../../model/types.ts'

/** The tools of a call as they are sent, to be counted. */
export async function toolSchemasOf(tools: ToolSet): Promise<readonly ToolSchema[]> {
  const { asSchema } = await import('ai')
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]): Promise<ToolSchema> => {
      const inputSchema = (await asSchema(tool.inputSchema).jsonSchema) as JsonValue
      return { name, description: typeof tool.description === 'string' ? tool.description : undefined, inputSchema }
    }),
  )
}
