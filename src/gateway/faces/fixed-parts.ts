import { type Fields, text } from '../../formats/shared/json.ts'
import type { JsonValue, ToolSchema } from '../../model/types.ts'

/** The texts of a provider's blocks as one; undefined when they have none. */
export function joinedTexts(blocks: readonly Fields[]): string | undefined {
  return text(blocks.flatMap((block) => text(block.text) ?? []).join('\n'))
}

/** Declarations of tools; `schemaKey` is the member in which a provider puts the schema of the arguments. */
export function declaredTools(tools: readonly Fields[], schemaKey: string): ToolSchema[] {
  return tools.map((tool) => ({
    name: text(tool.name) ?? text(tool.type) ?? 'unknown',
    description: text(tool.description),
    inputSchema: tool[schemaKey] as JsonValue | undefined,
  }))
}
