import { z } from 'zod'
import { fields, text } from '../../formats/shared/json.ts'
import type { ToolSchema } from '../../model/fixed.ts'

const known = new WeakMap<object, ToolSchema>()

/** A tool of LangChain as it is counted: one of its classes, with a schema of zod or JSON, or a provider's own declaration. */
export function chainTool(tool: unknown): ToolSchema {
  const object = fields(tool) ?? {}
  const made = known.get(object) ?? schemaOf(object)
  known.set(object, made)
  return made
}

function schemaOf(tool: Readonly<Record<string, unknown>>): ToolSchema {
  const { name, description, schema } = tool
  // A declaration in the form of a provider is counted as it stands.
  if (text(name) === undefined || schema === undefined) return { name: text(name) ?? '', inputSchema: tool }
  return { name: text(name) ?? '', description: text(description), inputSchema: jsonSchemaOf(schema) }
}

/** A schema of zod becomes JSON Schema when it is sent. One that cannot be said in it is counted by its own words. */
function jsonSchemaOf(schema: unknown): unknown {
  if (!(schema instanceof z.ZodType) && fields(schema)?._zod === undefined) return schema
  try {
    return z.toJSONSchema(schema as z.ZodType)
  } catch {
    return fields(schema)?.description
  }
}
