import { claudeAgent } from './claude-agent.ts'
import { codexAgent } from './codex-agent.ts'
import { copilotAgent } from './copilot-agent.ts'
import { geminiAgent } from './gemini-agent.ts'
import { opencodeAgent } from './opencode-agent.ts'
import { piAgent } from './pi-agent.ts'
import { qwenAgent } from './qwen-agent.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/** Every agent that `pith wrap` knows. */
export const WRAPPED_AGENTS: readonly WrappedAgent[] = [
  claudeAgent,
  codexAgent,
  opencodeAgent,
  piAgent,
  geminiAgent,
  copilotAgent,
  qwenAgent,
]
