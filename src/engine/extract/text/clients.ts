/** A program that puts messages into the user's role, and how it does that. */
export type Client = {
  readonly name: string
  /** The beginnings of its `user-agent`, in lower case. */
  readonly agents?: readonly string[]
  /** A text that is in its `user-agent`, too. */
  readonly agentHas?: string
  /** The name that it sends to resellers of models in `x-title`, in lower case. */
  readonly titles?: readonly string[]
  /**
   * The text parts of a message that may be typed. `first`: the first that is not a note of the client, unless it comes with a
   * result. `none`: results of tools are in the user's role too, and nothing but their words would show that.
   */
  readonly typedParts: 'every' | 'first' | 'none'
  /** Text in a tag that spans lines is typed too, or pasted by the user, unless the tag is a mark. */
  readonly typesTags?: true
  /** Its own tools that ask the user. */
  readonly asks?: readonly string[]
}

/** Our own agent, the library and the HTTP API: what they call the user's is theirs, except marks. */
export const KNOWN_SOURCE: Client = { name: 'Pith', typedParts: 'every', typesTags: true }

/** A client that nobody knows, whose agent calls tools as the protocol has them. */
export const UNKNOWN_CLIENT: Client = { name: 'unknown', typedParts: 'first' }

/** One without such calls: it may ask for tools in text, and put their results into the user's role. */
export const UNKNOWN_CHAT: Client = { name: 'unknown, without tools', typedParts: 'none' }

/** Agents that are given one task, and work on it alone: the task is the user's, with the tags of its template. */
export const TASK_AGENT: Client = { name: 'an agent with one task', typedParts: 'first', typesTags: true }

const CLAUDE_CODE = { agents: ['claude-cli/'], asks: ['AskUserQuestion', 'ExitPlanMode'] }

/** The clients that we know. Any other one is `UNKNOWN_CLIENT` or `UNKNOWN_CHAT`. The first row that fits counts. */
export const CLIENTS = {
  // Another program drives Claude Code and writes its prompts: an editor, a script.
  claudeCodeDriven: { name: 'Claude Code, driven', ...CLAUDE_CODE, agentHas: ', sdk-', typedParts: 'first' },
  claudeCode: {
    name: 'Claude Code',
    ...CLAUDE_CODE,
    typedParts: 'every',
    typesTags: true,
  },
  codex: {
    name: 'Codex',
    agents: ['codex_', 'codex-'],
    typedParts: 'first',
    typesTags: true,
    asks: ['request_user_input'],
  },
  opencode: { name: 'opencode', agents: ['opencode/'], typedParts: 'every', typesTags: true, asks: ['question'] },
  // Its tools that ask the user are those of extensions.
  pi: { name: 'pi', agents: ['pi/', 'pi '], typedParts: 'first', typesTags: true },
  gemini: {
    name: 'Gemini CLI',
    agents: ['geminicli'],
    typedParts: 'first',
    typesTags: true,
    asks: ['ask_user', 'exit_plan_mode'],
  },
  copilot: {
    name: 'Copilot CLI',
    agents: ['copilot'],
    typedParts: 'first',
    typesTags: true,
    asks: ['ask_user', 'exit_plan_mode'],
  },
  qwenCode: {
    name: 'qwen-code',
    agents: ['qwencode/'],
    typedParts: 'first',
    typesTags: true,
    asks: ['ask_user_question', 'exit_plan_mode'],
  },
  // These answer in plain chat, whatever tools they declare.
  cline: { name: 'Cline', agents: ['cline/'], titles: ['cline'], typedParts: 'none' },
  roo: { name: 'Roo Code', agents: ['roocode/', 'roo-code/'], titles: ['roo code'], typedParts: 'none' },
  kilo: { name: 'Kilo Code', agents: ['kilo-code/', 'kilocode/'], titles: ['kilo code'], typedParts: 'none' },
  aider: { name: 'aider', agents: ['aider/'], titles: ['aider'], typedParts: 'none' },
} as const satisfies Readonly<Record<string, Client>>

/** The client that sends these headers; undefined for one that we do not know. Names of headers are in lower case. */
export function clientOf(headers: Readonly<Record<string, string>>): Client | undefined {
  const agent = (headers['user-agent'] ?? '').toLowerCase()
  const title = (headers['x-title'] ?? '').toLowerCase()
  return Object.values<Client>(CLIENTS).find(
    ({ agents = [], agentHas = '', titles = [] }) =>
      (agents.some((name) => agent.startsWith(name)) && agent.includes(agentHas)) || titles.includes(title),
  )
}
