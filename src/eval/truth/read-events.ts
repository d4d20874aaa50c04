import type { Message } from '../../model/types.ts'
import type { TruthEvent, UnplacedEvent } from './events.ts'
import { type ToolStep, toolSteps } from './steps.ts'
import { commandOf, editedBy } from './tools.ts'

/**
 * The work as messages show it: edits by tools, commits, reverts, checks. It is careful: after a git command that it does not
 * read (a merge, a stash, a script) the state of every file is unknown, and nothing is asked about it.
 */
export function readEvents(messages: readonly Message[]): TruthEvent[] {
  return toolSteps(messages).flatMap((step) =>
    workIn(step).map((event): TruthEvent => ({ at: step.message, call: step.id, ...event }) as TruthEvent),
  )
}

function workIn(step: ToolStep): UnplacedEvent[] {
  const edited = editedBy(step).map((path): UnplacedEvent => ({ kind: 'edit', path }))
  const command = commandOf(step)
  if (command === undefined || step.outcome === 'unknown') return edited
  const ok = step.outcome === 'ok'
  const parts = command.split(/\s*(?:&&|;)\s*/)
  const check: UnplacedEvent[] = CHECK.test(command) && !/[|<>;]/.test(command) ? [{ kind: 'check', command, ok }] : []
  return [...edited, ...check, ...gitIn(parts, step.output ?? '', ok)]
}

const CHECK =
  /^(?:npm (?:run )?(?:test|build|lint|typecheck|check)|npx (?:vitest|tsc|jest|eslint|biome)|p?npm test|yarn test|pytest|python3? -m (?:pytest|unittest)|go (?:test|build|vet)|cargo (?:test|build|check|clippy)|\.?\/?(?:mvnw?|gradlew?) |make (?:test|check|build))/

function gitIn(parts: readonly string[], output: string, ok: boolean): UnplacedEvent[] {
  const events: UnplacedEvent[] = []
  let staged: string[] | 'all' | 'unknown' = 'unknown'
  for (const part of parts) {
    const [, verb = '', rest = ''] = /^git (?:-[cC] \S+ )*([a-z-]+)\s*(.*)$/.exec(part) ?? []
    const paths = rest.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'))
    if (verb === 'add') staged = /^(?:-A|--all|\.)$/.test(rest) ? 'all' : /[*?$]|^-[up]/.test(rest) ? 'unknown' : paths
    else if (verb === 'mv' && ok && paths.length === 2) {
      const [path = '', to = ''] = paths
      events.push({ kind: 'rename', path, to })
    } else if (verb === 'commit') {
      const hash = /^\[[^\]\s]+(?: \([^)]*\))? ([0-9a-f]{7,40})\]/m.exec(output)?.[1]
      const isAll = /^(?:-a|-am|--all|-qam|-aqm)\b/.test(rest)
      if (hash !== undefined && !/--amend/.test(rest))
        events.push({ kind: 'commit', hash, paths: isAll ? 'all' : staged })
      else if (ok || hash !== undefined) events.push({ kind: 'upheaval' })
    } else if (ok && ((verb === 'checkout' && rest.startsWith('-- ')) || (verb === 'restore' && !INDEX.test(rest)))) {
      events.push(...paths.map((path): UnplacedEvent => ({ kind: 'revert', path })))
    } else if (UPHEAVALS.test(verb)) events.push({ kind: 'upheaval' })
  }
  return events
}

/** Then only the index changes. */
const INDEX = /^(?!.*--worktree).*--staged/
const UPHEAVALS = /^(?:checkout|switch|stash|merge|rebase|reset|pull|revert|cherry-pick|clean|rm|am|apply)$/
