import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { qwenCode } from './agents/qwen-code.ts'
import type { Client } from './client.ts'

/** All agents that the tests drive. */
export const CLIENTS: readonly Client[] = [claudeCode, codex, pi, opencode, gemini, copilot, qwenCode]
