import { counted } from '../../engine/report/numbers.ts'
import { HookFiles, type PreparedAddition } from './hook-files.ts'
import { COMPACT_INSTRUCTIONS } from './instructions.ts'

/** The effects of a hook. */
type HookDeps = {
  /** Pith's own folder, the only one that a hook writes to. */
  readonly data: string
  /** Checks the summary of a session in the background. */
  readonly prepare: (session: string) => void
  readonly clock: () => number
  readonly pause: (ms: number) => void
}

/** The answer to an event of an agent; empty if there is nothing to say. */
export function answerHook(event: string, input: unknown, deps: HookDeps): string {
  if (event === 'PreCompact') return COMPACT_INSTRUCTIONS
  const {
    session_id: session,
    transcript_path: transcript,
    compact_summary: summary,
    source,
    ...others
  } = fieldsOf(input)
  if (typeof session !== 'string' || session === '') return ''
  // A sub-agent has the session id of the agent that called it, and would get the addition to that agent's summary.
  if (others.agent_id !== undefined) return ''
  const files = new HookFiles(deps.data, session)
  switch (event) {
    case 'PostCompact':
      begin()
      return ''
    // Codex runs this hook between the compaction and the next request, so the addition is sent here and not by a later hook.
    case 'SessionStart':
      if (source !== 'compact') return ''
      begin()
      return waitForAddition(event, files, deps, LONGEST_CHECK_MS)
    case 'UserPromptSubmit':
    case 'PostToolBatch':
      return waitForAddition(event, files, deps, LONGEST_WAIT_MS)
    case 'StatusLine':
      return statusLine(files.prepared())
    default:
      return ''
  }

  function begin(): void {
    if (typeof transcript !== 'string' || typeof session !== 'string') return
    files.begin({ transcript, summary: typeof summary === 'string' ? summary : '' })
    deps.prepare(session)
  }
}

/** The longest time that a prompt waits for the check, which takes about a second. After that, a later hook sends the addition. */
const LONGEST_WAIT_MS = 3_000
/** A check that takes longer counts as dead. */
const LONGEST_CHECK_MS = 20_000
const STEP_MS = 25

function waitForAddition(event: string, files: HookFiles, { clock, pause }: HookDeps, longestMs: number): string {
  for (;;) {
    const waiting = files.waitingMs(clock())
    if (waiting === undefined) return ''
    const text = files.prepared()?.text
    if (text !== undefined) {
      files.end()
      return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
    }
    if (waiting > LONGEST_CHECK_MS) files.end()
    if (waiting > longestMs) return ''
    pause(STEP_MS)
  }
}

function statusLine(prepared: PreparedAddition | undefined): string {
  if (prepared === undefined) return 'pith: no compaction yet'
  const { facts, tokens } = prepared
  return facts === 0
    ? 'pith: the last summary forgot nothing'
    : `pith: ${counted(facts, 'fact')} added to the last summary, ${counted(tokens, 'token')}`
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
