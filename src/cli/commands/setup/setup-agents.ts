import { claudeSetup } from './agents/claude.ts'
import { codexSetup } from './agents/codex.ts'
import { copilotSetup } from './agents/copilot.ts'
import { geminiSetup } from './agents/gemini.ts'
import { opencodeSetup } from './agents/opencode.ts'
import { piSetup } from './agents/pi.ts'
import { qwenSetup } from './agents/qwen.ts'
import type { SetupAgent } from './setup-agent.ts'

/** Every agent that `pith setup` knows. */
export const SETUP_AGENTS: readonly SetupAgent[] = [
  claudeSetup,
  codexSetup,
  opencodeSetup,
  piSetup,
  geminiSetup,
  copilotSetup,
  qwenSetup,
]
