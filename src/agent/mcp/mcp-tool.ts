import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { messageOf } from '../../model/problems/errors.ts'
import { type JsonValue, jsonText } from '../../model/types.ts'
import { abortCause } from '../interruption.ts'
import type { Tool, ToolImage, ToolOutput } from '../tool.ts'
import type { McpConnection } from './mcp-connection.ts'

const inputSchema = z.record(z.string(), z.unknown())
/** A longer description is cut, because it is sent with every request. */
const DESCRIPTION_CHARACTERS = 4_000

/** The agent's tool for a tool of a server. It never throws: the model gets errors as answers. */
export function mcpTool(
  name: string,
  { name: own, description = '', inputSchema: schema }: McpTool,
  server: Pick<McpConnection, 'name' | 'call'>,
): Tool {
  return {
    name,
    description:
      description.length > DESCRIPTION_CHARACTERS ? `${description.slice(0, DESCRIPTION_CHARACTERS)}…` : description,
    input: inputSchema,
    inputSchema: schema as JsonValue,
    // Only the server knows whether two calls may run at once.
    parallel: false,
    permission: async (input) => ({ kind: 'tool', tool: name, input: JSON.stringify(input, null, 2) ?? '' }),
    run: async (input, { signal, onOutput }) => {
      const read = inputSchema.safeParse(input ?? {})
      if (!read.success) return failed(`${name} takes a table of arguments`)
      try {
        const onProgress = (text: string) => onOutput?.(`${text}\n`)
        return outputOf(await server.call(own, read.data, { signal, onProgress }))
      } catch (error) {
        if (signal.aborted) return failed(`Interrupted ${abortCause(signal)}: the server was asked to stop.`)
        return failed(`The MCP server ${server.name} did not do it: ${messageOf(error)}`)
      }
    },
  }
}

function failed(text: string): ToolOutput {
  return { text, isError: true }
}

function outputOf({ content = [], structuredContent, isError }: CallToolResult): ToolOutput {
  const images: ToolImage[] = []
  const texts = content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [block.text]
      case 'image':
        images.push({ data: block.data, mediaType: block.mimeType })
        return []
      case 'resource':
        return ['text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`]
      case 'resource_link':
        return [`[resource ${block.uri}${block.description === undefined ? '' : `: ${block.description}`}]`]
      default:
        return [`[${block.type}]`]
    }
  })
  const text = texts.length === 0 && structuredContent !== undefined ? jsonText(structuredContent) : texts.join('\n')
  return { text, ...(isError === true ? { isError } : {}), ...(images.length === 0 ? {} : { images }) }
}
