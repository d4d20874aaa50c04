import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { qwenCode } from './agents/qwen-code.ts'
import type { Client } from './client.ts'
import { withOwnTrigger } from './own-trigger.ts'

/** An agent as an editor starts it: its own program, or an adapter that starts it. */
export type AcpAgent = {
  readonly name: string
  /** The agent whose settings and tools it has. */
  readonly client: Client
  /** The packages that it needs, each with the version that the tests were seen to pass with. */
  readonly packages: readonly string[]
  /** The command line for `--agent`. */
  readonly command: string
  readonly env?: Readonly<Record<string, string>>
  /** The way to sign in, for an agent that wants an editor to choose one. */
  readonly signIn?: string
  /** Set for an agent that did not compact by itself in this work. */
  readonly neverCompacts?: true
}

export const ACP_AGENTS: readonly AcpAgent[] = [
  {
    name: 'claude-agent-acp',
    client: withOwnTrigger(claudeCode),
    packages: ['@agentclientprotocol/claude-agent-acp@0.99.0'],
    command: 'claude-agent-acp',
    env: { ANTHROPIC_MODEL: 'claude-sonnet-4-5' },
  },
  {
    name: 'codex-acp',
    client: codex,
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    command: 'codex-acp',
    env: { DEFAULT_AUTH_REQUEST: '{"methodId":"api-key"}' },
  },
  {
    name: 'codex-acp-zed',
    client: codex,
    packages: ['@zed-industries/codex-acp@0.16.0'],
    command: 'codex-acp',
    signIn: 'openai-api-key',
  },
  {
    name: 'pi-acp',
    client: pi,
    packages: ['pi-acp@0.0.34', '@earendil-works/pi-coding-agent@0.87.1'],
    command: 'pi-acp',
  },
  {
    name: 'gemini',
    client: gemini,
    packages: ['@google/gemini-cli@0.61.0'],
    command: 'gemini --acp --skip-trust --model gemini-2.5-pro',
    neverCompacts: true,
  },
  { name: 'opencode', client: opencode, packages: ['opencode-ai@1.18.33'], command: 'opencode acp' },
  { name: 'qwen-code', client: qwenCode, packages: ['@qwen-code/qwen-code@0.24.4'], command: 'qwen --acp' },
]
