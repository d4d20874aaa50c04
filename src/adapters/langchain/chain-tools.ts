import { z } from 'zod'
import { fields, text } from '../../formats/shared/json.ts'
import type { ToolSchema } from '../../model/fixed.ts'

/** The tools of a call, as LangChain has them and as they are counted. */
export type ChainTools = { readonly given: readonly unknown[]; readonly schemas: readonly ToolSchema[] }

/** The tools of a call. Those that the call before had are not read again: ten schemas of zod take a millisecond. */
export function chainTools(given: readonly unknown[], before?: ChainTools): ChainTools {
  const schemas = given.map((tool, i) => (tool === before?.given[i] && before?.schemas[i]) || schemaOf(tool))
  return { given: [...given], schemas }
}

/** A tool as it is counted: one of LangChain's classes, with a schema of zod or JSON, or a provider's own declaration. */
function schemaOf(given: unknown): ToolSchema {
  const tool = fields(given) ?? {}
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
