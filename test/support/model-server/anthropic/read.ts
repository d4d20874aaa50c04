import { parseBody } from '../bad-body.ts'
import type { Part, RequestMessage } from '../model-request.ts'
import { onlyStreams } from '../only-streams.ts'
import type { Reading } from '../protocol.ts'
import type { Segment } from '../token-count.ts'
import { type AnthropicBody, anthropicBody, type Block, blocksOf } from './body.ts'
import { anthropicProblems } from './validate.ts'

/** Reads a request of the Messages API. */
export function readAnthropic(value: unknown): Reading {
  const body = parseBody(anthropicBody, value)
  return {
    request: {
      protocol: 'anthropic',
      model: body.model,
      system: systemBlocks(body)
        .map(({ text }) => text)
        .join('\n\n'),
      messages: messagesOf(body),
      tools: (body.tools ?? []).map(({ name, description = '', input_schema }) => ({
        name,
        description,
        inputSchema: input_schema,
      })),
      maxOutputTokens: body.max_tokens,
    },
    segments: segmentsOf(body),
    problems: anthropicProblems(body),
    oddities: onlyStreams(body),
    cacheKey: body.model,
  }
}

function systemBlocks({ system = [] }: AnthropicBody): Extract<Block, { type: 'text' }>[] {
  return typeof system === 'string' ? [{ type: 'text', text: system }] : system
}

/** Results are in the user's messages there; here they are messages of their own. */
function messagesOf({ messages }: AnthropicBody): RequestMessage[] {
  const names = new Map<string, string>()
  return messages.flatMap(({ role, content }): RequestMessage[] => {
    const parts = blocksOf(content).flatMap((block) => partOf(block, names))
    if (role === 'assistant') return [{ role, parts }]
    const results = parts.filter(({ type }) => type === 'tool-result')
    const rest = parts.filter(({ type }) => type !== 'tool-result')
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
      ...(rest.length > 0 ? [{ role: 'user' as const, parts: rest }] : []),
    ]
  })
}

function partOf(block: Block, names: Map<string, string>): Part[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'tool_use':
      names.set(block.id, block.name)
      return [{ type: 'tool-call', id: block.id, name: block.name, input: block.input }]
    case 'tool_result':
      return [
        {
          type: 'tool-result',
          id: block.tool_use_id,
          name: names.get(block.tool_use_id) ?? '',
          text: resultText(block),
          isError: block.is_error ?? false,
        },
      ]
    default:
      return []
  }
}

function resultText({ content = '' }: Extract<Block, { type: 'tool_result' }>): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')
}

/** In the order of the cache: tools, system, messages; another tool choice spoils the messages' part only. */
function segmentsOf(body: AnthropicBody): Segment[] {
  const choice = JSON.stringify([body.tool_choice ?? null, body.thinking ?? null])
  return [
    ...(body.tools ?? []).map((tool) => segment('', tool)),
    ...systemBlocks(body).map((block) => segment('', block)),
    { text: '', key: choice },
    ...body.messages.flatMap(({ role, content }) => blocksOf(content).map((block) => segment(role, block))),
  ]
}

function segment(role: string, block: object): Segment {
  const marked = 'cache_control' in block && block.cache_control != null
  return { text: role + JSON.stringify({ ...block, cache_control: undefined }), breakpoint: marked }
}
