const AT = '2026-11-15T10:00:00.000Z'

/** A file, or a request to the gateway, whose first message in the user's role has these texts. After it a tool was called. */
export type Carrier = {
  readonly name: string
  /** Its client is known to write typed words anywhere except in marks. */
  readonly isKnown: boolean
  readonly file: (parts: readonly string[]) => string
}

function lines(...values: readonly object[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}

function claude(entrypoint: string): Carrier['file'] {
  const line = (uuid: string, parentUuid: string | null, more: object) => ({
    uuid,
    parentUuid,
    isSidechain: false,
    sessionId: 's',
    cwd: '/w',
    timestamp: AT,
    version: '2.1.217',
    entrypoint,
    ...more,
  })
  return (parts) =>
    lines(
      line('1', null, { type: 'user', message: { role: 'user', content: texts(parts) } }),
      line('2', '1', { type: 'assistant', message: { id: 'm', role: 'assistant', content: [toolUse] } }),
      line('3', '2', { type: 'user', message: { role: 'user', content: [toolResult] } }),
    )
}

function texts(parts: readonly string[], type = 'text'): object[] {
  return parts.map((text) => ({ type, text }))
}

const toolUse = { type: 'tool_use', id: 't', name: 'Read', input: { file_path: '/w/a.ts' } }
const toolResult = { type: 'tool_result', tool_use_id: 't', content: 'ok' }

function gemini(content: (parts: readonly string[]) => unknown): Carrier['file'] {
  return (parts) =>
    JSON.stringify({
      sessionId: 's',
      projectHash: 'p',
      startTime: AT,
      messages: [
        { id: '1', type: 'user', timestamp: AT, content: content(parts) },
        { id: '2', type: 'gemini', timestamp: AT, content: 'Done.' },
      ],
    })
}

const CALL = { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }

export const CARRIERS: readonly Carrier[] = [
  { name: 'Claude Code in a terminal', isKnown: true, file: claude('cli') },
  { name: 'Claude Code in an editor of another vendor', isKnown: false, file: claude('sdk-ts') },
  {
    name: 'Codex',
    isKnown: true,
    file: (parts) =>
      lines(
        { timestamp: AT, type: 'session_meta', payload: { id: 's', cwd: '/w', timestamp: AT } },
        {
          timestamp: AT,
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: texts(parts, 'input_text') },
        },
      ),
  },
  {
    name: 'pi',
    isKnown: true,
    file: (parts) =>
      lines(
        { type: 'session', version: 3, id: 's', timestamp: AT, cwd: '/w' },
        {
          type: 'message',
          id: 'a',
          parentId: null,
          timestamp: AT,
          message: { role: 'user', content: texts(parts) },
        },
      ),
  },
  { name: 'Gemini CLI', isKnown: true, file: gemini((parts) => parts.map((text) => ({ text }))) },
  { name: 'Gemini CLI, joined', isKnown: true, file: gemini((parts) => parts.join('')) },
  {
    name: 'qwen-code',
    isKnown: true,
    file: (parts) =>
      lines({
        uuid: '1',
        parentUuid: null,
        sessionId: 's',
        timestamp: AT,
        cwd: '/w',
        version: '0.24.4',
        type: 'user',
        message: { role: 'user', parts: parts.map((text) => ({ text })) },
      }),
  },
  {
    name: 'opencode',
    isKnown: true,
    file: (parts) =>
      JSON.stringify({
        info: { id: 'ses_1', directory: '/w', version: '1' },
        messages: [{ info: { id: 'a', role: 'user', time: { created: 1 } }, parts: texts(parts) }],
      }),
  },
  {
    name: 'Copilot CLI',
    isKnown: true,
    file: (parts) =>
      lines(
        {
          type: 'session.start',
          id: '1',
          parentId: null,
          timestamp: AT,
          data: { sessionId: 's', copilotVersion: '1' },
        },
        { type: 'user.message', id: '2', parentId: '1', timestamp: AT, data: { content: parts.join('\n') } },
      ),
  },
  {
    name: 'a list of the Anthropic API',
    isKnown: false,
    file: (parts) =>
      JSON.stringify([
        { role: 'user', content: texts(parts) },
        { role: 'assistant', content: [toolUse] },
        { role: 'user', content: [toolResult] },
      ]),
  },
  {
    name: 'a list of the Anthropic API, beside a result',
    isKnown: false,
    file: (parts) =>
      JSON.stringify([
        { role: 'user', content: 'Begin.' },
        { role: 'assistant', content: [toolUse] },
        { role: 'user', content: [toolResult, ...texts(parts)] },
      ]),
  },
  {
    name: 'a list of the Chat Completions API',
    isKnown: false,
    file: (parts) =>
      JSON.stringify([
        { role: 'user', content: texts(parts) },
        { role: 'assistant', content: null, tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ]),
  },
  {
    name: 'a list of the Responses API',
    isKnown: false,
    file: (parts) =>
      JSON.stringify([
        { type: 'message', role: 'user', content: texts(parts, 'input_text') },
        { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'ok' },
      ]),
  },
]

/** The `user-agent` of clients at the gateway, and whether words anywhere in a message are known to be typed there. */
export const AGENTS: readonly { readonly agent: string; readonly isKnown: boolean }[] = [
  { agent: 'claude-cli/2.1.325 (external, cli)', isKnown: true },
  { agent: 'claude-cli/2.1.325 (external, sdk-ts)', isKnown: false },
  { agent: 'Zed/0.214.0 (linux; x86_64)', isKnown: false },
  { agent: '', isKnown: false },
]
