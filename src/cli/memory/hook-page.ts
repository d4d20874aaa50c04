import { readFileSync } from 'node:fs'
import { keepPage, pageText, sessionPage } from '../../store/memory-pages.ts'
import type { HookAgent } from './memory-command.ts'
import { type MemoryPlace, startingPage } from './starting-page.ts'

/** A session, as an agent describes it to its hooks. */
type HookSession = {
  readonly id?: string | undefined
  /** Why it begins: `startup` or `new`, `clear`, `resume`, `compact`. */
  readonly source?: string | undefined
  readonly transcript_path?: string | undefined
  /** Set in a sub-agent. */
  readonly agent_id?: string | undefined
}

/** The page for a session at the hook of an agent. It enters once, and stays the same as long as the session lives. */
export function pageFor(agent: HookAgent, session: HookSession, setup: MemoryPlace): string | undefined {
  const { id, source, agent_id: helper } = session
  if (helper !== undefined) return undefined
  if (agent === 'gemini') return hasAnswer(session.transcript_path) ? undefined : startingPage(setup)
  const isNew = source === undefined || BEGINNINGS.has(source)
  if (!KEPT.has(agent)) return isNew ? startingPage(setup) : undefined
  if (id === undefined) return undefined
  const file = sessionPage(setup.folders.data, `${agent}:${id}`)
  if (!isNew) return pageText(file) || undefined
  const page = startingPage(setup)
  if (page !== undefined) keepPage(file, page)
  return page
}

const BEGINNINGS: ReadonlySet<string> = new Set(['startup', 'new', 'clear'])

/** These do not write it into the session: they ask again when one is resumed, and must get the same page. */
const KEPT: ReadonlySet<HookAgent> = new Set(['qwen', 'copilot'])

/**
 * Gemini CLI 0.61.0 loses the first prompt of `gemini -p` when it resumes a session that began with a hook, so it gets the page at
 * its hook before each prompt, and only before the first one.
 */
function hasAnswer(transcript: string | undefined): boolean {
  try {
    return transcript !== undefined && /"type":\s*"gemini"|<hook_context>/.test(readFileSync(transcript, 'utf8'))
  } catch {
    return false
  }
}

/** A page in the form in which the hook of an agent gives text to its model. */
export function hookAnswer(agent: HookAgent, page: string): string {
  if (agent === 'copilot') return JSON.stringify({ additionalContext: page })
  const hookEventName = agent === 'gemini' ? 'BeforeAgent' : 'SessionStart'
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: page } })
}
