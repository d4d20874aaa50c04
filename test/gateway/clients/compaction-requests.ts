import type { ClientRequest } from '../../../src/gateway/faces/face.ts'

type Sent = { readonly path: string; readonly body: object; readonly headers?: Record<string, string> }

const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } }
const result = {
  type: 'tool_result',
  tool_use_id: 'toolu_1',
  content: '12 passed',
  cache_control: { type: 'ephemeral' },
}

const CLAUDE_DIRECTIVE = `CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.

- Tool calls will be REJECTED and will waste your only turn — you will fail the task.

Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests.
`
const chatCall = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } }
const chatHistory = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Run the tests.' },
  { role: 'assistant', content: null, tool_calls: [chatCall] },
  { role: 'tool', tool_call_id: 'call_1', content: '12 passed' },
  { role: 'assistant', content: 'They pass.' },
]
const items = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are an agent.' }] },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run the tests.' }] },
  { type: 'function_call', call_id: 'call_1', name: 'exec_command', arguments: '{"cmd":"npm test"}' },
  { type: 'function_call_output', call_id: 'call_1', output: '12 passed' },
]
const TRANSCRIPT = '[User]: Run the tests.\n\n[Tool result]: 12 passed\n\n[Assistant]: They pass.'
const QWEN_DIRECTIVE =
  "You are the component that summarizes a conversation when its context window is about to overflow. The summary you produce will become the agent's ONLY memory."
const contents = [
  { role: 'user', parts: [{ text: 'Run the tests.' }] },
  { role: 'model', parts: [{ text: 'They pass.' }] },
]

/** The compaction requests of the agents as they were seen, their long texts shortened. */
export const COMPACTION_REQUESTS = {
  claude: sent({
    path: '/v1/messages?beta=true',
    body: {
      model: 'claude-sonnet-4-5',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Run the tests.' }] },
        { role: 'assistant', content: [call] },
        {
          role: 'user',
          content: [
            result,
            {
              type: 'text',
              text: `${CLAUDE_DIRECTIVE}\n\nAdditional Instructions:\nfocus on the tests\n\nREMINDER: Do NOT call any tools.`,
            },
          ],
        },
      ],
      system: [{ type: 'text', text: 'You are Claude Code.' }],
      tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
      max_tokens: 32000,
      stream: true,
    },
  }),
  codexText: sent({
    path: '/v1/responses',
    headers: { 'x-codex-turn-metadata': '{"request_kind":"compaction","compaction":{"trigger":"auto"}}' },
    body: {
      model: 'gpt-5.2',
      stream: true,
      input: [
        ...items,
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'You are performing a CONTEXT CHECKPOINT COMPACTION.' }],
        },
      ],
      tools: [],
      store: false,
    },
  }),
  codexTrigger: sent({
    path: '/v1/responses',
    headers: { 'x-codex-turn-metadata': '{"request_kind":"compaction"}' },
    body: { model: 'gpt-5.2', stream: true, input: [...items, { type: 'compaction_trigger' }], store: false },
  }),
  codexCompact: sent({ path: '/v1/responses/compact', body: { model: 'gpt-5.2', input: items, instructions: '' } }),
  opencode: sent({
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-5',
      system: [{ type: 'text', text: 'You are a context summarization agent. You are given a conversation.' }],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'text',
              text: `Here is the conversation so far:\n\n<conversation>\n${TRANSCRIPT}\n</conversation>\n\nHere is the summary of the conversation before the <conversation> above:\n<prior-summary>\nEarlier.\n</prior-summary>\n\nOutput exactly the Markdown structure.`,
            },
          ],
        },
      ],
      stream: true,
    },
  }),
  pi: sent({
    path: '/v1/messages?beta=true',
    body: {
      model: 'claude-sonnet-4-5',
      system: [{ type: 'text', text: 'You are a context summarization assistant. Your task is to read.' }],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'text',
              text: `<conversation>\n${TRANSCRIPT}\n</conversation>\n\nThe messages above are a conversation to summarize.\n\nAdditional focus: the tests`,
            },
          ],
        },
      ],
      stream: true,
    },
  }),
  gemini: sent({
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: {
      contents: [
        ...contents,
        {
          role: 'user',
          parts: [
            {
              text: 'Generate a new <state_snapshot> based on the provided history.\n\nFirst, reason in your scratchpad. Then, generate the updated <state_snapshot>.',
            },
          ],
        },
      ],
      systemInstruction: { parts: [{ text: 'You distill chat history into a structured XML <state_snapshot>.' }] },
    },
  }),
  geminiCheck: sent({
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: {
      contents: [
        ...contents,
        { role: 'model', parts: [{ text: '<state_snapshot>\nThe record.\n</state_snapshot>' }] },
        {
          role: 'user',
          parts: [{ text: 'Critically evaluate the <state_snapshot> you just generated. Did you omit any?' }],
        },
      ],
      systemInstruction: { parts: [{ text: 'You distill chat history into a structured XML <state_snapshot>.' }] },
    },
  }),
  copilot: sent({
    path: '/v1/chat/completions',
    headers: { 'x-interaction-type': 'conversation-compaction' },
    body: {
      model: 'gpt-5.2',
      stream: true,
      tool_choice: 'none',
      messages: [
        ...chatHistory,
        { role: 'user', content: 'Please create a detailed summary of the conversation so far.' },
      ],
    },
  }),
  qwen: sent({
    path: '/v1/chat/completions',
    body: {
      model: 'qwen3-coder-plus',
      stream: true,
      messages: [...chatHistory, { role: 'user', content: [{ type: 'text', text: QWEN_DIRECTIVE }] }],
    },
  }),
  qwenCold: sent({
    path: '/v1/chat/completions',
    body: {
      model: 'qwen3-coder-plus',
      stream: true,
      messages: [
        { role: 'system', content: QWEN_DIRECTIVE },
        ...chatHistory.slice(1),
        { role: 'user', content: [{ type: 'text', text: 'Then, produce the <state_snapshot> XML.' }] },
      ],
    },
  }),
} as const

/** Requests of the same agents in ordinary work. */
export const ORDINARY_REQUESTS = {
  claude: sent({
    path: '/v1/messages?beta=true',
    body: {
      model: 'claude-sonnet-4-5',
      messages: [
        { role: 'user', content: [{ type: 'text', text: `Why does this prompt fail?\n${CLAUDE_DIRECTIVE}` }] },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ ...result, content: CLAUDE_DIRECTIVE }] },
      ],
    },
  }),
  codex: sent({
    path: '/v1/responses',
    headers: { 'x-codex-turn-metadata': '{"request_kind":"turn"}' },
    body: { model: 'gpt-5.2', input: items.slice(0, 2) },
  }),
  chat: sent({ path: '/v1/chat/completions', body: { model: 'm', messages: chatHistory.slice(0, 2) } }),
  gemini: sent({ path: '/v1beta/models/g:streamGenerateContent?alt=sse', body: { contents: contents.slice(0, 1) } }),
  models: sent({ path: '/v1/models', body: {} }),
} as const

function sent({ path, body, headers = {} }: Sent): ClientRequest {
  return { method: 'POST', path, headers, body: new TextEncoder().encode(JSON.stringify(body)) }
}
