import { repeated } from '../bad-body.ts'
import { signatureOf } from '../signature.ts'
import { type AnthropicBody, type Block, blocksOf } from './body.ts'

type Messages = readonly { readonly role: string; readonly blocks: readonly Block[] }[]

/** All that the Messages API would refuse the request for, in its words. */
export function anthropicProblems(body: AnthropicBody): string[] {
  const messages = body.messages.map(({ role, content }) => ({ role, blocks: blocksOf(content) }))
  return [
    ...roleProblems(messages),
    ...messages.flatMap(({ blocks }, i) => textProblems(blocks, i)),
    ...messages.flatMap(({ blocks }, i) => thinkingProblems(blocks, i)),
    ...pairProblems(messages),
    ...toolProblems(body, messages),
    ...cacheProblems(body, messages),
  ]
}

function roleProblems(messages: Messages): string[] {
  const odd = messages.filter(({ role }) => role !== 'user' && role !== 'assistant')
  return [
    ...(messages.length === 0 ? ['messages: at least one message is required'] : []),
    ...odd.map(
      ({ role }) =>
        `messages: Unexpected role "${role}". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`,
    ),
    ...(messages[0]?.role === 'assistant' ? ['messages: first message must use the "user" role'] : []),
    ...(messages.at(-1)?.role === 'assistant'
      ? ['This model does not support assistant message prefill. The conversation must end with a user message.']
      : []),
  ]
}

function textProblems(blocks: readonly Block[], at: number): string[] {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return [
    ...(blocks.length === 0 ? [`messages.${at}: all messages must have non-empty content`] : []),
    ...(texts.some((text) => text === '') ? ['messages: text content blocks must be non-empty'] : []),
    ...(texts.some((text) => text !== '' && text.trim() === '')
      ? ['messages: text content blocks must contain non-whitespace text']
      : []),
  ]
}

function thinkingProblems(blocks: readonly Block[], at: number): string[] {
  return blocks.flatMap((block, i) =>
    block.type === 'thinking' && block.signature !== signatureOf(block.thinking)
      ? [`messages.${at}.content.${i}: Invalid \`signature\` in \`thinking\` block`]
      : [],
  )
}

function pairProblems(messages: Messages): string[] {
  const calls = messages.map(({ role, blocks }) => (role === 'assistant' ? callIds(blocks) : []))
  const twice = repeated(calls.flat())
  return [
    ...(twice.length > 0 ? ['messages: `tool_use` ids must be unique'] : []),
    ...messages.flatMap(({ role, blocks }, i) => [
      ...missingResults(calls[i] ?? [], messages[i + 1]?.blocks ?? [], i),
      ...oddResults(role, blocks, calls[i - 1] ?? [], i),
    ]),
  ]
}

function missingResults(calls: readonly string[], next: readonly Block[], at: number): string[] {
  const answered = next.slice(0, leadingResults(next)).flatMap(resultId)
  const open = calls.filter((id) => !answered.includes(id))
  if (open.length === 0) return []
  return [
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  ]
}

function oddResults(role: string, blocks: readonly Block[], calls: readonly string[], at: number): string[] {
  const results = blocks.flatMap(resultId)
  const orphans = results.filter((id) => role !== 'user' || !calls.includes(id))
  return [
    ...orphans.map(
      (id) =>
        `messages.${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    ),
    ...repeated(results).map(
      (id) => `messages.${at}.content: each tool_use must have a single result. Found multiple results for ${id}`,
    ),
  ]
}

function toolProblems({ tools = [] }: AnthropicBody, messages: Messages): string[] {
  const names = tools.map(({ name }) => name)
  const used = messages.some(({ blocks }) => blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'))
  return [
    ...(repeated(names).length > 0 ? ['tools: Tool names must be unique.'] : []),
    ...(used && tools.length === 0
      ? ['Requests which include `tool_use` or `tool_result` blocks must define tools.']
      : []),
    ...messages
      .flatMap(({ blocks }) => callIds(blocks))
      .filter((id) => !/^[\w-]+$/.test(id))
      .map((id) => `messages: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$': ${id}`),
  ]
}

function cacheProblems({ system, tools = [] }: AnthropicBody, messages: Messages): string[] {
  const all = [...tools, ...(typeof system === 'object' ? system : []), ...messages.flatMap(({ blocks }) => blocks)]
  const marked = all.filter((block) => 'cache_control' in block && block.cache_control != null)
  return marked.length > 4 ? [`A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`] : []
}

function callIds(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

function resultId(block: Block): string[] {
  return block.type === 'tool_result' ? [block.tool_use_id] : []
}

function leadingResults(blocks: readonly Block[]): number {
  const first = blocks.findIndex(({ type }) => type !== 'tool_result')
  return first === -1 ? blocks.length : first
}
